package cli

import (
	"fmt"
	"strings"

	"github.com/hashicorp/go-multierror"

	"github.com/mcplumb/mcplumb/internal/fleet"
)

// addressesOf reads a list of repositories from a file. The error is one for each line that
// is wrong.
func (a *app) addressesOf(file, list string) ([]fleet.Address, error) {
	_, server, _ := strings.Cut(a.gitHubServer(), "://")
	all, wrong := fleet.ParseAddresses(list, "github.com", server)
	var several *multierror.Error // each of which a person is shown
	for _, err := range wrong {
		several = multierror.Append(several, fmt.Errorf("--repos: %s: %w", file, err))
	}
	return all, several.ErrorOrNil()
}
