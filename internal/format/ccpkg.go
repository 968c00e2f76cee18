package format

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// isPackageName reports whether a text matches ^[a-z0-9]+(-[a-z0-9]+)*$ and has
// at most 64 characters (spec/schemas/manifest.schema.json).
func isPackageName(name string) bool {
	for word := range strings.SplitSeq(name, "-") {
		if word == "" || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
			return false
		}
	}
	return len(name) <= 64
}

// refusesPackageName refuses a package's name.
func refusesPackageName(span syntax.Span, name string) mcp.Refusal {
	return mcp.Refusal{Reason: mcp.PackageName, Span: span, Tool: "ccpkg", Got: name, GoesOn: true}
}

func isLinked(node *syntax.Node) bool {
	linked := node.Get("linked")
	return linked != nil && linked.Kind == syntax.Bool && linked.Text == "true"
}

// fromOrigin returns the launch of an origin. Its arguments are joined by blanks, so an argument
// with a blank in it becomes several.
func fromOrigin(in *shape.Input, origin identity.Word) (identity.Launch, identity.Identity) {
	var launch identity.Launch
	if command, ok := strings.CutPrefix(origin.Text, "command::"); ok {
		list := split(command, origin, len("command::"))
		if len(list) > 0 {
			launch.Command, launch.Args = list[0], list[1:]
		}
		return launch, identity.Resolve(&launch, &in.Context)
	}
	if bundle, ok := strings.CutPrefix(origin.Text, "bundle::"); ok && bundle != "" {
		return launch, identity.Identity{Kind: identity.MCPB, Name: bundle, Span: origin.Span, Transport: "stdio"}
	}
	if strings.HasPrefix(origin.Text, "https://") {
		return launch, identity.Identity{Kind: identity.MCPB, Name: origin.Text, Span: origin.Span, Transport: "stdio"}
	}
	return launch, identity.Identity{}
}

// split returns the words of a text that begins at an offset in a string. If the string is
// written with escapes, each word has the span of the whole.
func split(text string, whole identity.Word, offset int) []identity.Word {
	plain := whole.Span.End-whole.Span.Start == len(whole.Text)+2
	var list []identity.Word
	at := whole.Span.Start + 1 + offset
	for _, part := range strings.Split(text, " ") {
		span := whole.Span
		if plain {
			span = syntax.Span{Start: at, End: at + len(part)}
		}
		at += len(part) + 1
		if part != "" {
			list = append(list, identity.Word{Text: part, Span: span})
		}
	}
	return list
}
