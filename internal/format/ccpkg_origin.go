package format

import (
	"path"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// maxVersions is how many versions an origin may have: an image has a tag and a digest, a bridge
// and its target have one each.
const maxVersions = 4

// readOrigin parses an origin of ccpkg. It is used for both lockfiles and templates, so that
// origins that are equal as written are also equal without their versions. The path of a bundle
// is normalized (design document of ccpkg's deduplication: "bundle::{bundle_path} normalized").
func readOrigin(in *shape.Input, written identity.Word) mcp.Origin {
	text := normalOrigin(written.Text)
	o := mcp.Origin{Word: identity.Word{Text: text, Span: written.Span}, Base: text}
	for range maxVersions {
		version := versionIn(in, o.Base)
		if version.Kind == identity.NoVersion {
			break
		}
		from, to := version.Span.Start, version.Span.End
		if o.Version.Kind == identity.NoVersion || isDigestOf(o.Version, version) {
			o.Version = version
			o.Version.Span = o.Word.Part(from, to).Span
			if text != written.Text {
				o.Version.Span = written.Span // its place in the written text is another
			}
		}
		o.Base = beforeVersion(o.Base[:from]) + o.Base[to:]
	}
	return o
}

// normalOrigin returns an origin with one spelling of a bundle's path. The value of a variable is
// unknown, and so is where dots after it lead.
func normalOrigin(text string) string {
	file, isBundle := strings.CutPrefix(text, "bundle::")
	if !isBundle || file == "" || hasVariable(file) {
		return text
	}
	return "bundle::" + path.Clean(file)
}

// isDigestOf reports whether a version is the digest after the tag of an image: the tag is
// clearer to people, and can be compared.
func isDigestOf(digest, tag identity.Version) bool {
	return digest.Kind == identity.Exact && digest.Release() == "" && tag.Release() != ""
}

// versionMarks are the marks between a name and its version.
var versionMarks = []string{"===", "==", "@", "#", ":", "-"}

// beforeVersion removes the mark between a name and its version.
func beforeVersion(text string) string {
	for _, mark := range versionMarks {
		if name, ok := strings.CutSuffix(text, mark); ok {
			return name
		}
	}
	return text
}

// versionIn returns the first version in an origin, with its place in the text
// as its span.
func versionIn(in *shape.Input, origin string) identity.Version {
	if !strings.HasPrefix(origin, "command::") {
		return versionInPath(origin)
	}
	// As if it were written in quotes from the first byte on.
	whole := identity.Word{Text: origin, Span: syntax.Span{Start: 0, End: len(origin) + 2}}
	_, id := fromOrigin(in, whole)
	for fetched := range id.Packages() {
		v := fetched.Version
		if v.Kind == identity.NoVersion {
			continue
		}
		v.Span = syntax.Span{Start: v.Span.Start - 1, End: v.Span.End - 1}
		if v.Span.Start > 0 && v.Span.End <= len(origin) && origin[v.Span.Start:v.Span.End] == v.Text {
			return v
		}
	}
	return identity.Version{}
}

// versionInPath returns the version in the address or path of a bundle: a whole segment
// ("…/1.2.0/server.mcpb"), or the end of the file's name ("server-1.2.0.mcpb"). A host is never a
// version, whatever numbers it has.
func versionInPath(origin string) identity.Version {
	start := 0
	if scheme := strings.Index(origin, "://"); scheme >= 0 {
		host := strings.IndexByte(origin[scheme+len("://"):], '/')
		if host < 0 {
			return identity.Version{}
		}
		start = scheme + len("://") + host + 1
	}
	end := len(origin)
	if at := strings.IndexAny(origin[start:], "?#"); at >= 0 {
		end = start + at
	}
	for start < end {
		length := strings.IndexByte(origin[start:end], '/')
		if length < 0 {
			return versionInFile(origin, start, end)
		}
		if v := releaseAt(origin, start, start+length); v.Kind != identity.NoVersion {
			return v
		}
		start += length + 1
	}
	return identity.Version{}
}

// versionInFile returns the version at the end of a file's name, before its
// extension.
func versionInFile(origin string, start, end int) identity.Version {
	end -= len(path.Ext(origin[start:end]))
	for at := start; at < end; at++ {
		if origin[at] != '-' {
			continue
		}
		if v := releaseAt(origin, at+1, end); v.Kind != identity.NoVersion {
			return v
		}
	}
	return identity.Version{}
}

// releaseAt returns the version at a place in an origin, without a kind if there is no version.
func releaseAt(origin string, start, end int) identity.Version {
	v := identity.Version{Kind: identity.Exact, Text: origin[start:end], Span: syntax.Span{Start: start, End: end}}
	if v.Release() == "" {
		return identity.Version{}
	}
	return v
}
