package main

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// settingsSchema returns the JSON Schema of .mcplumb.yaml, with the IDs of the rules, in
// the draft that most editors read and SchemaStore requires (CONTRIBUTING.md at 0310cf99,
// 2026). It accepts what the program accepts and refuses what the program refuses, except
// mistakes within a pattern of paths (a test of package policy holds that).
func settingsSchema(all []*rule.Rule) string {
	var rules, ignorable []string
	for _, c := range all {
		rules = append(rules, c.ID)
	}
	ignorable = slices.DeleteFunc(slices.Clone(rules), func(id string) bool { return id == "unused-ignore" })
	var described []string
	for _, c := range all {
		described = append(described, "- `"+c.ID+"`: "+c.Title)
	}
	return strings.NewReplacer(
		"REGISTRIES", registryProperties(), "EXTENSIONS", extensionForms(), "RULES", toJSON(rules), "IGNORABLE", toJSON(ignorable), "FORMATS", toJSON(policy.FormatWords()), "TITLES", strings.Trim(toJSON(strings.Join(described, "\n")), `"`),
	).Replace(settingsSchemaText)
}

// registryProperties are the members of the registries.
func registryProperties() string {
	var members []string
	for _, name := range policy.RegistryNames() {
		members = append(members, toJSON(name)+`: {"type": "string", "pattern": "^https?://[^/?#@]+([/?#].*)?$"}`)
	}
	return strings.Join(members, ", ")
}

// extensionForms are the forms of files that settings extend: those that are fetched, and paths.
func extensionForms() string {
	var forms []string
	for _, form := range policy.ExtendsForms() {
		forms = append(forms, `{"pattern": `+toJSON(form)+`}`)
	}
	return strings.Join(append(forms, `{"not": {"pattern": "^github:|://|^(\\./)?(\\.?|/.*|\\.\\.|\\.\\./.*)$"}}`), ", ")
}

// toJSON returns strings as JSON.
func toJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// settingsSchemaText is the schema without the rules. A pattern is relative to
// the root and covers less than everything.
const settingsSchemaText = `{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "$id": "https://raw.githubusercontent.com/mcplumb/mcplumb/main/docs/settings.schema.json",
  "title": "settings of mcplumb",
  "description": "Settings of mcplumb, a linter for the MCP server configuration in a repository.\nhttps://github.com/mcplumb/mcplumb/blob/main/docs/settings.md",
  "type": ["object", "null"],
  "additionalProperties": false,
  "properties": {
    "extends": {
      "description": "Files whose settings count where this one says nothing else; of several the later ones count more. Paths from the root, and files that --online fetches: github:OWNER/NAME/PATH@COMMIT, or an address with #sha256= and the hash of what is there.",
      "type": ["array", "null"],
      "maxItems": 20,
      "items": {"type": "string", "anyOf": [EXTENSIONS]}
    },
    "rules": {
      "description": "Severities of rules; off turns a rule off.\n\nTITLES",
      "type": ["object", "null"],
      "propertyNames": {"enum": RULES},
      "additionalProperties": {"enum": ["off", "note", "warning", "error"]}
    },
    "fail-on": {
      "description": "Lowest severity that makes the exit code 1, if --fail-on is not given.",
      "enum": ["note", "warning", "error", "never"]
    },
    "severity": {
      "description": "Lowest severity shown, if --severity is not given.",
      "enum": ["note", "warning", "error"]
    },
    "format": {
      "description": "Output format of check, if --format is not given outside of GitHub Actions.",
      "enum": FORMATS
    },
    "baseline": {
      "description": "Path of the baseline from the root, if --baseline is not given (default .mcplumb-baseline.json, if it exists).",
      "type": "string",
      "not": {"pattern": "^(\\./)?(\\.?|/.*|\\.\\.|\\.\\./.*)$"}
    },
    "registries": {
      "description": "Addresses of registries, for --online. Without one mcplumb finds them as their own clients do.",
      "type": ["object", "null"],
      "additionalProperties": false,
      "properties": {REGISTRIES}
    },
    "in-step": {
      "description": "Groups of files that must have the same servers, each in its client's syntax. out-of-step reports the differences, and its fix removes them.",
      "type": ["array", "null"],
      "maxItems": 100,
      "items": {
        "type": "object",
        "additionalProperties": false,
        "required": ["files"],
        "properties": {
          "files": {"description": "Paths of files that must exist, and patterns.", "type": ["array", "null"], "items": {"$ref": "#/definitions/pattern"}},
          "source": {"description": "The file that people edit. Without it every file counts the same.", "allOf": [{"$ref": "#/definitions/pattern"}, {"not": {"type": "string", "pattern": "[*?\\[{\\\\]"}}]},
          "servers": {"description": "Names of the servers to compare, with * and the like; without it all.", "$ref": "#/definitions/names"},
          "except": {"description": "Names of the servers not to compare.", "$ref": "#/definitions/names"},
          "extra": {"description": "What to do with servers that are missing from the source: nothing (allow) or report a finding (report).", "enum": ["allow", "report"]},
          "per-project": {"description": "The paths start from every directory that has the source, or one of the files without a source.", "type": "boolean"}
        }
      }
    },
    "max-lock-age": {
      "description": "Maximum age in days of a locked tool's validation before stale-lock-entry reports it; without it any age.",
      "type": "integer",
      "minimum": 0,
      "maximum": 36500
    },
    "min-age": {
      "description": "Minimum age in days of a release that --online suggests (default 3).",
      "type": "integer",
      "minimum": 0,
      "maximum": 36500
    },
    "policy": {
      "description": "Files with the managed settings of clients, paths from the root: blocked-server reports what they block. For one client, write claude-code=FILE or copilot=FILE.",
      "type": ["array", "null"],
      "maxItems": 20,
      "items": {"type": "string", "not": {"pattern": "^((claude-code|copilot)=)?(\\./)?(\\.?|/.*|\\.\\.|\\.\\./.*)$"}}
    },
    "catalog": {
      "description": "Names of the repository's servers in mcplumb catalog, and the catalog that has approved them.",
      "type": ["object", "null"],
      "additionalProperties": false,
      "properties": {
        "approved": {
          "description": "The organization's catalog, for unapproved-server: the address of an MCP registry (needs --online), or the path from the root of a directory that mcplumb catalog build wrote.",
          "type": "string",
          "if": {"pattern": "://"},
          "then": {"pattern": "^https?://[^/?#@]+([/?#].*)?$"},
          "else": {"not": {"pattern": "^(\\./)?(\\.?|/.*|\\.\\.|\\.\\./.*)$"}}
        },
        "namespace": {"description": "The part before the slash of names in the MCP registry; without it the namespace of the repository's origin.", "type": "string", "pattern": "^[a-zA-Z0-9][a-zA-Z0-9.-]*\\.[a-zA-Z0-9.-]*[a-zA-Z0-9]$"},
        "organization": {"description": "The first part of full names in Casys PML; without it pml.", "type": "string", "pattern": "^[a-zA-Z_][a-zA-Z0-9_-]*$"},
        "project": {"description": "The second part of full names in Casys PML; without it mcp.", "type": "string", "pattern": "^[a-zA-Z_][a-zA-Z0-9_-]*$"},
        "code": {
          "description": "Files of the repository that Casys PML loads, by their full names without a hash.",
          "type": ["object", "null"],
          "propertyNames": {"pattern": "^([a-zA-Z_][a-zA-Z0-9_-]*\\.){3}[a-zA-Z_][a-zA-Z0-9_-]*$"},
          "additionalProperties": {"type": "string", "minLength": 1}
        }
      }
    },
    "exclude": {
      "description": "Files to skip. A pattern that matches a directory covers everything below it.",
      "type": ["array", "null"],
      "items": {"$ref": "#/definitions/pattern"}
    },
    "ignore": {
      "description": "Findings to keep.",
      "type": ["array", "null"],
      "items": {
        "type": "object",
        "additionalProperties": false,
        "required": ["rule", "reason"],
        "properties": {
          "rule": {"description": "The rule whose findings are ignored.", "enum": IGNORABLE},
          "path": {"description": "Only in these files; without it in all.", "$ref": "#/definitions/pattern"},
          "identity": {"description": "Only in an ignore of integrity-changed: the identity of the package or program with the approved hash.", "type": "string", "minLength": 1},
          "integrity": {"description": "Only in an ignore of integrity-changed: the approved hash. Other hashes are still reported.", "type": "string", "minLength": 1},
          "server": {"description": "Only findings about the entry of this name; without it about all.", "type": "string", "minLength": 1},
          "reason": {"description": "Why the finding may stay.", "type": "string", "pattern": "\\S"},
          "until": {"description": "The last day on which it counts, in UTC: 2030-12-31.", "type": "string", "format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
        },
        "if": {"properties": {"rule": {"const": "integrity-changed"}}},
        "then": {"properties": {"identity": true, "integrity": true}, "required": ["identity", "integrity"]},
        "else": {"properties": {"identity": false, "integrity": false}}
      }
    }
  },
  "definitions": {
    "names": {
      "type": ["array", "null"],
      "items": {"type": "string", "minLength": 1}
    },
    "pattern": {
      "description": "A pattern of paths from the root of the repository: * within a name, ** across directories, {a,b}, [a-z].",
      "type": "string",
      "not": {"pattern": "^(\\./)?(\\.?/?|/.*|\\.\\./?|\\.\\./.*)$"}
    }
  }
}
`
