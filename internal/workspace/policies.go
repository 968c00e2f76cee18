package workspace

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/source"
)

// readPolicies reads the managed settings that flags name, as seen from the current
// directory, and those of the repository's settings.
func (w *Workspace) readPolicies(ctx context.Context, named []string) error {
	for _, text := range named {
		file := policy.ParsePolicyFile(text)
		if file.Path == "" {
			return fmt.Errorf("--policy %q: the value is empty", text)
		}
		if err := w.readPolicy(ctx, file, w.Absolute(file.Path), file.Path); err != nil {
			return err
		}
	}
	for _, file := range w.Options.Settings.Policies {
		path := filepath.Join(w.Root, filepath.FromSlash(file.Path))
		if err := w.readPolicy(ctx, file, path, w.Paths().Seen(path)); err != nil {
			return err
		}
	}
	return nil
}

// readPolicy reads one file of managed settings, which messages call shown.
func (w *Workspace) readPolicy(ctx context.Context, file policy.PolicyFile, path, shown string) error {
	content, fromRoot, err := w.Read(ctx, path)
	if err != nil {
		message := source.Explain(err)
		if client, _, found := strings.Cut(file.Path, "="); found {
			message += fmt.Sprintf(": %s is not a client with such lists: use claude-code or copilot", client)
		}
		if file.Line > 0 {
			return &policy.Error{Path: file.Settings, Line: file.Line, Column: file.Column, Message: "policy " + shown + ": " + message}
		}
		return &policy.Error{Path: shown, Message: message}
	}
	p, err := policy.ParseManaged(shown, fromRoot, content, file.Client)
	if err != nil {
		return err
	}
	if p.Allowed == nil && p.Denied == nil && p.Exclusive == nil {
		w.Notices = append(w.Notices, shown+" has neither allowedMcpServers nor deniedMcpServers: it blocks nothing")
	}
	for _, d := range p.Doubts[:min(1, len(p.Doubts))] {
		w.Notices = append(w.Notices, fmt.Sprintf("%s: %s: mcplumb cannot tell what Claude Code does with the lists", p.Place(d.Span), d.Text))
	}
	w.Options.Policies = append(w.Options.Policies, p)
	return nil
}
