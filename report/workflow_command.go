package report

import (
	"maps"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/rule"
)

// WorkflowCommand returns a line that the runner of GitHub Actions makes an annotation of, with
// properties such as its title, and ends it. Values are escaped as the runner reads them
// (actions/toolkit, packages/core/src/command.ts, 2026-11).
func WorkflowCommand(severity rule.Severity, properties map[string]string, message string) string {
	name := map[rule.Severity]string{rule.Error: "error", rule.Warning: "warning"}[severity]
	if name == "" {
		name = "notice"
	}
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	var pairs []string
	for _, key := range slices.Sorted(maps.Keys(properties)) {
		pairs = append(pairs, key+"="+property.Replace(properties[key]))
	}
	return "::" + name + " " + strings.Join(pairs, ",") + "::" + data.Replace(message) + "\n"
}
