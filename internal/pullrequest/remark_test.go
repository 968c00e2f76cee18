package pullrequest

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/github"
)

const remarkHead = "abcdef0123456789"

// TestKeepRemark: one comment is made, kept up to date and never made twice; an empty report
// is written only over an earlier one.
func TestKeepRemark(t *testing.T) {
	mark := (&Remark{}).mark()
	by := func(login, body string) map[string]any {
		return map[string]any{"id": 7, "user": map[string]any{"login": login}, "body": body}
	}
	for name, c := range map[string]struct {
		remarks []map[string]any
		says    bool
		want    string
		writes  []string
	}{
		"the first":                        {nil, true, Created, []string{"comment on #1: " + mark + "\nnew"}},
		"nothing to say":                   {nil, false, Unchanged, nil},
		"something else was said":          {[]map[string]any{by("acme-bot", mark+"\nold")}, true, Updated, []string{"edit comment 7: " + mark + "\nnew"}},
		"something was, and now is not":    {[]map[string]any{by("acme-bot", mark+"\nold")}, false, Updated, []string{"edit comment 7: " + mark + "\nnew"}},
		"the same, as GitHub stores it":    {[]map[string]any{by("acme-bot", mark+"\r\nnew\r\n")}, true, Unchanged, nil},
		"another user's that looks so":     {[]map[string]any{by("eve", mark+"\nold")}, true, Created, []string{"comment on #1: " + mark + "\nnew"}},
		"one that quotes it":               {[]map[string]any{by("acme-bot", "> "+mark+"\nold")}, true, Created, []string{"comment on #1: " + mark + "\nnew"}},
		"that of a run for another part":   {[]map[string]any{by("acme-bot", (&Remark{Part: "web"}).mark()+"\nold")}, true, Created, []string{"comment on #1: " + mark + "\nnew"}},
		"another's and ours below it":      {[]map[string]any{by("eve", mark+"\nold"), by("acme-bot", mark+"\nnew")}, true, Unchanged, nil},
		"nothing to say, and another's is": {[]map[string]any{by("eve", mark+"\nold")}, false, Unchanged, nil},
	} {
		h, r := reviewed(t)
		h.remarks = c.remarks
		m := &Remark{Text: "new", Says: c.says}
		operation, why, err := m.Keep(t.Context(), r, 1, remarkHead)
		require.NoError(t, err, name)
		assert.Empty(t, why, name)
		assert.Equal(t, c.want, operation, name)
		assert.Equal(t, c.writes, h.wrote(), name)
	}
}

// TestKeepRemarkElsewhere: for a pull request that is at another commit another run knows better,
// and one that is closed needs nothing.
func TestKeepRemarkElsewhere(t *testing.T) {
	h, r := reviewed(t)
	m := &Remark{Text: "new", Says: true}
	_, why, err := m.Keep(t.Context(), r, 1, "9876543210fedcba")
	require.NoError(t, err)
	assert.Equal(t, "#1 is at abcdef012345 by now, and this is a run for 9876543210fe", why)
	h.pulls[0].isOpen = false
	_, why, err = m.Keep(t.Context(), r, 1, remarkHead)
	require.NoError(t, err)
	assert.Equal(t, "#1 is not open", why)
	assert.Empty(t, h.wrote())
}

// TestKeepRemarkForbidden: a token that may not is known by what GitHub says.
func TestKeepRemarkForbidden(t *testing.T) {
	h, r := reviewed(t)
	h.fails["POST /issues/1/comments"] = 403
	m := &Remark{Text: "new", Says: true}
	_, _, err := m.Keep(t.Context(), r, 1, remarkHead)
	var failure *github.Failure
	require.True(t, errors.As(err, &failure))
	assert.True(t, failure.IsForbidden())
	assert.Empty(t, h.wrote())
}
