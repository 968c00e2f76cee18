package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A hostile is a repository made so that a run takes long or grows large.
type hostile struct {
	name string
	// files returns the repository in a size: its content grows in proportion to n.
	files func(n int) tree
	// base returns the repository at the commit that it is compared with; nil for no
	// commit, and no git.
	base func(n int) tree
	// args are the arguments of the program; none checks, with a report in JSON.
	args []string
}

// tree are the texts of files by their paths.
type tree map[string]string

// object is a JSON object that keeps its members in the order in which they were added, so
// that a key may occur twice.
type object struct{ members []string }

func (o *object) add(name string, value any) *object {
	o.members = append(o.members, text(name)+":"+text(value))
	return o
}

func (o *object) MarshalJSON() ([]byte, error) {
	return []byte("{" + strings.Join(o.members, ",") + "}"), nil
}

// text returns a value as JSON.
func text(value any) string {
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(encoded)
}

// under returns a file with one member.
func under(key string, value any) string { return text(new(object).add(key, value)) }

// npx starts a package.
func npx(words ...string) *object {
	return new(object).add("command", "npx").add("args", append([]string{"-y"}, words...))
}

// many returns n members.
func many(n int, name func(i int) string, value func(i int) any) *object {
	o := new(object)
	for i := range n {
		o.add(name(i), value(i))
	}
	return o
}

// numbered returns names that differ in a number. A number of fixed width (%05d) keeps the
// names of a larger case as long as those of a smaller one, for cases in which the length
// decides how many steps each name takes.
func numbered(format string) func(int) string {
	return func(i int) string { return fmt.Sprintf(format, i) }
}

// always returns one value.
func always(value any) func(int) any { return func(int) any { return value } }

// servers returns .mcp.json with some servers.
func servers(o *object) string { return under("mcpServers", o) }

// continued returns a file of Continue with one server.
func continued(name, args string) string {
	return "name: x\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: " + name + "\n    command: npx\n    args: [" + args + "]\n"
}

// issued returns a text like an issued token, a different one for each number.
func issued(i int) string { return fmt.Sprintf("q7Zx3Wv9Tj1Rb5Nd%08x", uint32(i+1)*2654435761) }

// insecure returns files in directories of their own, with a finding each.
func insecure(dir string, n int) tree {
	files := tree{}
	for i := range n {
		files[fmt.Sprintf("%s%d/.mcp.json", dir, i)] = servers(new(object).add("s", new(object).add("type", "http").add("url", "http://docs.acme.dev/mcp")))
	}
	return files
}

// continuedIn returns n files of one project with a server of one name each.
func continuedIn(n int, pkg string) tree {
	files := tree{}
	for i := range n {
		files[fmt.Sprintf(".continue/mcpServers/%d.yaml", i)] = continued("s", fmt.Sprintf(`"-y", "`+pkg+`"`, i))
	}
	return files
}

// published returns a manifest of the registry with some packages.
func published(version string, packages ...any) string {
	return text(new(object).add("name", "io.github.acme/p").add("version", version).add("packages", packages))
}

// hashed returns a lockfile of mcp-tap with n entries of one package, and hashes from one
// number on.
func hashed(n int, name string, from int) string {
	return text(new(object).add("lockfile_version", 1).add("servers", many(n, numbered(name), func(i int) any {
		return new(object).add("package_identifier", "p").add("registry_type", "npm").add("version", "1.0.0").
			add("integrity", fmt.Sprintf("sha256-%064x", from+i)).add("config", npx("p"))
	})))
}

// fixable are repositories with one file in which every entry has a fix, by what that
// is about.
func fixable() map[string]func(n int) tree {
	token := func(i int) string {
		return fmt.Sprintf("ghp_%08x%s%08x", uint32(i+1)*2654435761, "a1B2c3D4e5F6g7H8i9J0", uint32(i+1)*40503)
	}
	withToken := func(i int) any {
		return npx(fmt.Sprintf("p%d@1.0.0", i)).add("env", new(object).add(fmt.Sprintf("A%d_TOKEN", i), token(i)))
	}
	return map[string]func(n int) tree{
		"addresses without TLS": func(n int) tree {
			return tree{".mcp.json": servers(many(n, numbered("s%d"), func(i int) any {
				return new(object).add("type", "http").add("url", fmt.Sprintf("http://h%06d.acme.dev/mcp", i))
			}))}
		},
		"a root key that no client reads": func(n int) tree {
			return tree{".cursor/mcp.json": under("servers", many(n, numbered("s%d"), func(i int) any { return npx(fmt.Sprintf("p%d@1.0.0", i)) }))}
		},
		"versions of a lockfile": func(n int) tree {
			return tree{
				".mcp.json":    servers(many(n, numbered("s%d"), func(i int) any { return npx(fmt.Sprintf("p%d@latest", i)) })),
				"mcp-tap.lock": lockedAs(n, "s%d"),
			}
		},
		"names of a lockfile": func(n int) tree {
			return tree{
				".mcp.json":    servers(many(n, numbered("s%d"), func(i int) any { return npx(fmt.Sprintf("p%d@1.0.0", i)) })),
				"mcp-tap.lock": lockedAs(n, "t%d"),
			}
		},
		"pairs of one server": func(n int) tree {
			return tree{".mcp.json": servers(many(n, numbered("s%d"), func(i int) any { return npx(fmt.Sprintf("p%d@1.0.0", i/2)) }))}
		},
		"one server again and again": func(n int) tree {
			return tree{".mcp.json": servers(many(n, numbered("s%d"), always(npx("p@1.0.0"))))}
		},
		"keys that repeat": func(n int) tree {
			return tree{".mcp.json": servers(many(n, numbered("s%d"), func(i int) any {
				return new(object).add("command", "npx").add("command", "npx").add("args", []string{"-y", fmt.Sprintf("p%d@1.0.0", i)})
			}))}
		},
		"one package again and again, with keys that repeat": func(n int) tree {
			return tree{".mcp.json": servers(many(n, numbered("s%05d"), always(new(object).
				add("command", "npx").add("command", "npx").add("args", []string{"-y", "p@1.0.0"}))))}
		},
		"variables in one argument": func(n int) tree {
			var argument strings.Builder
			for i := range n {
				fmt.Fprintf(&argument, "${A%d}", i)
			}
			return tree{".vscode/mcp.json": under("servers", new(object).add("s", npx("p@1.0.0", argument.String())))}
		},
		"trailing commas": func(n int) tree {
			return tree{".mcp.json": strings.ReplaceAll(servers(many(n, numbered("s%d"), func(i int) any { return npx(fmt.Sprintf("p%d@1.0.0", i)) })), "]}", "],}")}
		},
		"variables that are not expanded": func(n int) tree {
			return tree{".roo/mcp.json": servers(many(n, numbered("s%d"), func(i int) any {
				return npx(fmt.Sprintf("p%d@1.0.0", i)).add("env", new(object).add(fmt.Sprintf("A%d", i), fmt.Sprintf("${B%d}", i)))
			}))}
		},
		"credentials in JSON": func(n int) tree { return tree{".mcp.json": servers(many(n, numbered("s%d"), withToken))} },
		"credentials of VS Code": func(n int) tree {
			return tree{".vscode/mcp.json": under("servers", many(n, numbered("s%d"), withToken))}
		},
		"credentials in YAML": func(n int) tree {
			var b strings.Builder
			b.WriteString("name: x\nversion: 0.0.1\nschema: v1\nmcpServers:\n")
			for i := range n {
				fmt.Fprintf(&b, "  - name: s%d\n    command: p%d\n    env:\n      A%d_TOKEN: %s\n", i, i, i, token(i))
			}
			return tree{".continue/mcpServers/a.yaml": b.String()}
		},
		"credentials in TOML": func(n int) tree {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "[mcp_servers.s%d]\ncommand = \"p%d\"\n\n[mcp_servers.s%d.env]\nA%d_TOKEN = \"%s\"\n\n", i, i, i, i, token(i))
			}
			return tree{".codex/config.toml": b.String()}
		},
		"credentials in inline tables": func(n int) tree {
			var b strings.Builder
			b.WriteString("[mcp_servers]\n")
			for i := range n {
				fmt.Fprintf(&b, "s%d = { command = \"p%d\", env = { A%d_TOKEN = \"%s\" } }\n", i, i, i, token(i))
			}
			return tree{".codex/config.toml": b.String()}
		},
	}
}

// ownLock returns a mcplumb.lock with one package under n names.
func ownLock(n int) string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("'s%d'", i)
	}
	return "version = 1\n\n[[server]]\nidentity = 'npm:a-mcp'\nversion = '1.0.0'\nfiles = ['.mcp.json']\nnames = [" + strings.Join(names, ", ") + "]\n"
}

// lockedAs returns a lockfile of mcp-tap with n packages of an exact version.
func lockedAs(n int, name string) string {
	return text(new(object).add("lockfile_version", 1).add("servers", many(n, numbered(name), func(i int) any {
		return new(object).add("package_identifier", fmt.Sprint("p", i)).add("registry_type", "npm").add("version", "1.0.0").
			add("integrity", fmt.Sprintf("sha256-%064x", i)).add("config", npx(fmt.Sprintf("p%d@1.0.0", i)))
	})))
}

// cases are the repositories, each of which was once too slow or too large.
func cases() []hostile {
	all := checked()
	byName := fixable()
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		all = append(all,
			hostile{name: "fixed: " + name, files: byName[name], args: []string{"check", "--fix=unsafe", "--format", "json=/dev/null"}},
			hostile{name: "in a patch: " + name, files: byName[name], args: []string{"check", "--fix=unsafe", "--diff"}})
	}
	return all
}

// checked are those that are only checked.
func checked() []hostile {
	pinned := func(i int) any { return npx(fmt.Sprintf("p%d@1.0.0", i)) }
	return []hostile{
		{name: "servers beside the root key", files: func(n int) tree {
			o := new(object).add("mcpServers", many(n, numbered("a%d"), pinned))
			for i := range n {
				o.add(fmt.Sprint("b", i), pinned(i))
			}
			return tree{".mcp.json": text(o)}
		}},
		{name: "a template of one line", files: func(n int) tree {
			return tree{"dot_cursor/mcp.json.tmpl": `{"mcpServers": {"a": {"command": "x", "args": ["` + strings.Repeat("{{ x }}", 20*n) + strings.Repeat("{{}}", 20*n) + `"]}}}`}
		}},
		{name: "files within a ConfigMap", files: func(n int) tree {
			var b strings.Builder
			b.WriteString("apiVersion: v1\nkind: ConfigMap\ndata:\n")
			for i := range n {
				fmt.Fprintf(&b, "  c%d.json: |\n    {\"mcpServers\": {\"s%d\": {\"command\": \"npx\", \"args\": [\"p%d@1.0.0\"]}}}\n", i, i, i)
			}
			return tree{"cm.yaml": b.String()}
		}},
		{name: "sets of Nix that do not end", files: func(n int) tree {
			return tree{"mcp.nix": strings.Repeat("mcpServers = {\n", 10*n)}
		}},
		{name: "a long name and servers that repeat it", files: func(n int) tree {
			o := new(object).add(strings.Repeat("x", 50*n), npx("p@1.0.0"))
			for i := range n {
				o.add(fmt.Sprint("s", i), npx("p@1.0.0"))
			}
			return tree{".mcp.json": servers(o)}
		}},
		{name: "a long version and others beside it", files: func(n int) tree {
			files := tree{".cursor/mcp.json": servers(new(object).add("s", npx("p@1.0.0-"+strings.Repeat("a", 50*n))))}
			for i := range n {
				files[fmt.Sprintf(".continue/mcpServers/%d.yaml", i)] = continued("s", `"-y", "p@1.0.0"`)
			}
			return files
		}},
		{name: "manifests and packages of one name", files: func(n int) tree {
			files := tree{}
			for i := range n {
				files[fmt.Sprintf("a/%d/server.json", i)] = published("1.0.0", new(object).add("registryType", "npm").add("identifier", "p").add("version", "1.0.0"))
				files[fmt.Sprintf("b/%d/package.json", i)] = text(new(object).add("name", "p").add("version", fmt.Sprintf("1.%d.0", i)))
			}
			return files
		}},
		{name: "a manifest of many packages and images", files: func(n int) tree {
			var packages []any
			for i := range n {
				packages = append(packages, new(object).add("registryType", "npm").add("identifier", fmt.Sprint("p", i%2)).add("version", "1.0.0"),
					new(object).add("registryType", "oci").add("identifier", "ghcr.io/acme/p:1.0.0"))
			}
			return tree{
				strings.Repeat("d/", 100) + "server.json": published("1.0.0", packages...),
				"package.json":   text(new(object).add("name", "p0").add("version", "1.1.0").add("mcpName", "io.github.acme/"+strings.Repeat("x", 50*n))),
				"pyproject.toml": "[project]\nname = \"p\"\nversion = \"1." + strings.Repeat("1", 50*n) + "\"\nreadme = \"README.md\"\n",
				"README.md":      strings.Repeat("mcp-name: io.github.acme/x\n", n),
			}
		}},
		{name: "workflows that write manifests", files: func(n int) tree {
			return tree{
				"server.json":               published("1.0.0", new(object).add("registryType", "npm").add("identifier", "p").add("version", "1.0.0")),
				"package.json":              text(new(object).add("name", "p").add("version", "1.1.0")),
				".github/workflows/one.yml": strings.Repeat("mv x sed -i > y.json ", 20*n),
				".github/workflows/two.yml": strings.Repeat("jq . server.json > server.json.tmp\n", 10*n),
			}
		}},
		{name: "scripts that are missing, in many projects", files: func(n int) tree {
			// Of the two dozen directories on the way to each, several have all that may say where
			// a script comes from, with patterns that nothing tells from others.
			const deep = "a/a/a/a/a/a/a/a/a/a/a/a/"
			missing := func(i int) any {
				return new(object).add("command", "node").add("args", []string{fmt.Sprintf("b/b/b/b/%s%d.js", strings.Repeat("a", 40), i)})
			}
			var patterns, modules strings.Builder
			for i := range 150 {
				fmt.Fprintf(&patterns, "*%sb%d\n", strings.Repeat("a*", 40), i)
			}
			files := tree{"x.js": "", ".gitignore": patterns.String()}
			for i := range n / 30 {
				fmt.Fprintf(&modules, "[submodule \"%d\"]\n\tpath = m%d\n", i, i)
				dir := fmt.Sprintf("%s%d/", deep, i)
				files[dir+".mcp.json"] = servers(many(30, numbered("s%d"), missing))
				files[dir+".gitignore"] = "*a*b\n!*b*a\n"
				files[dir+"b/package.json"] = `{"scripts": {"build": "` + strings.Repeat("a.js ", 50) + `"}}`
			}
			files[".gitmodules"], files["a/Makefile"] = modules.String(), strings.Repeat("a", 60_000)
			return files
		}},
		{name: "scripts that are missing, in one project", files: func(n int) tree {
			return tree{"x.js": "", ".mcp.json": servers(many(n, numbered("s%d"), func(i int) any {
				return new(object).add("command", "node").add("args", []string{fmt.Sprintf("d%d/%sx%d.js", i, strings.Repeat("b/", 18), i)})
			}))}
		}},
		{name: "an entry of a long name and many variables", files: func(n int) tree {
			env := many(n, numbered("A%d"), always("${undefined-x}"))
			return tree{".mcp.json": servers(new(object).add(strings.Repeat("x", 30*n), npx("p@1.0.0").add("env", env)))}
		}},
		{name: "files of one project, other names and versions", files: func(n int) tree {
			files := tree{}
			for i := range n {
				name := "a"
				if i%2 == 0 {
					name = fmt.Sprint("b", i)
				}
				files[fmt.Sprintf(".continue/mcpServers/%d.yaml", i)] = continued(name, fmt.Sprintf(`"-y", "p@%d.0.0"`, i%3))
			}
			return files
		}},
		{name: "files of one project, other arguments", files: func(n int) tree {
			files := tree{}
			for i := range n {
				files[fmt.Sprintf(".continue/mcpServers/%d.yaml", i)] = continued(fmt.Sprint("a", i), fmt.Sprintf(`"-y", "p@1.0.0", "--x=%d"`, i))
			}
			return files
		}},
		{name: "files in step with other servers each", files: func(n int) tree {
			files := tree{".mcplumb.yaml": "in-step: [{files: ['**/.mcp.json']}]\n"}
			for i := range n {
				files[fmt.Sprintf("a%d/.mcp.json", i)] = servers(new(object).add(fmt.Sprintf("s%d", i), npx(fmt.Sprintf("p%d@1.0.0", i))))
			}
			return files
		}},
		{name: "files in step of which each has another entry", files: func(n int) tree {
			files := tree{".mcplumb.yaml": "in-step: [{files: ['**/.mcp.json']}]\n"}
			for i := range n {
				files[fmt.Sprintf("a%05d/.mcp.json", i)] = servers(new(object).add("s", npx("p@1.0.0", fmt.Sprintf("--x=%05d", i))))
			}
			return files
		}},
		{name: "files in step whose servers may differ", files: func(n int) tree {
			files := tree{".mcplumb.yaml": "in-step: [{files: ['**/.mcp.json'], except: ['s*']}]\n"}
			for i := range n {
				files[fmt.Sprintf("a%d/.mcp.json", i)] = servers(new(object).add(fmt.Sprint("s", i%7), npx("p@1.0.0", fmt.Sprintf("--x=%05d", i))))
			}
			return files
		}},
		{name: "patterns of the servers to keep in step", files: func(n int) tree {
			patterns := make([]string, 200) // the maximum
			for i := range patterns {
				patterns[i] = fmt.Sprintf("'*a*a*a*a*a*b%05d'", i)
			}
			return tree{
				".mcplumb.yaml":    "in-step: [{files: [.mcp.json, .cursor/mcp.json], servers: [" + strings.Join(patterns, ", ") + "]}]\n",
				".mcp.json":        servers(many(n, numbered("aaaaaaab%05d"), pinned)),
				".cursor/mcp.json": servers(many(n, numbered("aaaaaaac%05d"), pinned)),
			}
		}},
		{name: "servers for the files of other clients", args: []string{"sync", "--from", ".mcp.json", "--to", "vscode,codex", "--diff"}, files: func(n int) tree {
			return tree{".mcp.json": servers(many(n, numbered("s%05d"), pinned))}
		}},
		{name: "a matrix of files that are to be in step", args: []string{"list", "--format", "matrix"}, files: func(n int) tree {
			files := tree{".mcplumb.yaml": "in-step: [{files: ['**/.mcp.json'], except: ['t*']}]\n"}
			for i := range n {
				files[fmt.Sprintf("a%d/.mcp.json", i)] = servers(new(object).
					add(fmt.Sprint("s", i), npx(fmt.Sprintf("p%d@1.0.0", i))).add(fmt.Sprint("t", i), npx("q@1.0.0")).
					add("u", npx("r@1.0.0", fmt.Sprint("--x=", i))))
			}
			return files
		}},
		{name: "a matrix of the files of one project", args: []string{"list", "--format", "matrix"}, files: func(n int) tree {
			files := tree{}
			for i := range n {
				files[fmt.Sprintf(".continue/mcpServers/%d.yaml", i)] = continued(fmt.Sprint("a", i), fmt.Sprintf(`"-y", "p@1.0.0", "--x=%d"`, i))
			}
			return files
		}},
		{name: "a matrix of many servers", args: []string{"list", "--format", "matrix"}, files: func(n int) tree {
			of := func(option string) string {
				return servers(many(n, numbered("s%d"), func(i int) any { return npx(fmt.Sprintf("p%d@1.0.0", i), option) }))
			}
			return tree{".mcp.json": of("--a"), ".cursor/mcp.json": of("--b")}
		}},
		{name: "names of one locked server", files: func(n int) tree {
			return tree{
				".mcp.json":    servers(many(n, numbered("s%d"), func(int) any { return npx("a-mcp@1.0.0") })),
				"mcplumb.lock": ownLock(n),
			}
		}},
		{name: "a lockfile over many directories", files: func(n int) tree {
			locked := many(n, numbered("t%d"), func(i int) any {
				return new(object).add("package_identifier", fmt.Sprint("p", i)).add("registry_type", "npm").add("version", "1.0.0").add("config", pinned(i))
			})
			files := tree{"mcp-tap.lock": text(new(object).add("lockfile_version", 1).add("servers", locked))}
			for i := range n {
				files[fmt.Sprintf("d%d/.mcp.json", i)] = servers(new(object).add("x", pinned(i)))
			}
			return files
		}},
		{name: "names that are shortened to one, and a permission for each", files: func(n int) tree {
			o, allowed := new(object), []string{}
			for i := range n {
				o.add(fmt.Sprintf("a/n%d", i), npx(fmt.Sprintf("p%d@1.0.0", i))).add(fmt.Sprintf("b/n%d", i), npx(fmt.Sprintf("q%d@1.0.0", i)))
				allowed = append(allowed, fmt.Sprintf("mcp__b_n%d__x", i))
			}
			return tree{
				".mcp.json":             servers(o),
				".claude/settings.json": under("permissions", new(object).add("allow", allowed)),
			}
		}},
		{name: "files that call many servers by one name, and permissions for it", files: func(n int) tree {
			files := tree{".mcp.json": servers(many(n, numbered("right%d"), pinned))}
			for i := range n {
				files[fmt.Sprintf(".continue/mcpServers/%d.yaml", i)] = continued("old", fmt.Sprintf(`"-y", "p%d@1.0.0"`, i))
			}
			files[".claude/settings.json"] = under("permissions", new(object).add("allow", slices.Repeat([]string{"mcp__old__x"}, n)))
			return files
		}},
		{name: "descriptions of prompt-registry", files: func(n int) tree {
			o := new(object).add("a", npx("p@1.0.0").add("description", "Duplicate of x"))
			for i := range n {
				o.add(fmt.Sprint("s", i), npx("p@1.0.0"))
			}
			return tree{".vscode/mcp.json": under("servers", o)}
		}},
		{name: "repeats that are switched off", files: func(n int) tree {
			return tree{".vscode/mcp.json": under("servers", many(n, numbered("s%d"), func(i int) any {
				return npx(fmt.Sprint("p", i)).add("disabled", true).add("description", "Duplicate of x")
			}))}
		}},
		{name: "one server under many names in two files", files: func(n int) tree {
			return tree{
				".mcp.json":        servers(many(n, numbered("a%d"), always(npx("p@1.0.0")))),
				".cursor/mcp.json": servers(many(n, numbered("b%d"), always(npx("p@1.0.0")))),
			}
		}},
		{name: "servers under other names in two files", files: func(n int) tree {
			return tree{".mcp.json": servers(many(n, numbered("a%d"), pinned)), ".cursor/mcp.json": servers(many(n, numbered("b%d"), pinned))}
		}},
		{name: "copies of a generator", files: func(n int) tree {
			var source strings.Builder
			for i := range n {
				fmt.Fprintf(&source, "[mcp_servers.s%d]\ncommand=\"npx\"\nargs=[\"-y\",\"p%d\"]\n", i, i)
			}
			return tree{".ruler/ruler.toml": source.String(), ".mcp.json": servers(many(n, numbered("s%d"), func(i int) any { return npx(fmt.Sprint("p", i)) }))}
		}},
		{name: "variables of one server in two files", files: func(n int) tree {
			file := func(name, value string) string {
				return servers(new(object).add("s", npx("p@1.0.0").add("env", many(n, numbered(name), always(value)))))
			}
			return tree{".mcp.json": file("A%d", "1"), ".cursor/mcp.json": file("B%d", "2")}
		}},
		{name: "headers of a bridge from variables", files: func(n int) tree {
			words := []string{"mcp-remote@0.1.30", "https://h.acme.dev/mcp"}
			for i := range n {
				words = append(words, "--header", fmt.Sprintf("X%d: ${A%d}", i, i))
			}
			return tree{".mcp.json": servers(new(object).add("s", npx(words...).add("env", many(n, numbered("A%d"), always("1")))))}
		}},
		{name: "bridges", files: func(n int) tree {
			return tree{".mcp.json": servers(many(n, numbered("s%05d"), func(i int) any {
				return npx("mcp-remote@0.1.30", fmt.Sprintf("https://h%05d.acme.dev/mcp", i))
			}))}
		}},
		{name: "entries that prompt-registry tracks", files: func(n int) tree {
			return tree{
				".vscode/mcp.json": under("servers", many(n, numbered("prompt-registry:b:s%d"), pinned)),
				".vscode/prompt-registry-mcp-tracking.json": under("managedServers", many(n, numbered("prompt-registry:b:t%d"), func(i int) any {
					return new(object).add("bundleId", "b").add("originalConfig", pinned(i))
				})),
			}
		}},
		{name: "variables of the first of many twins", files: func(n int) tree {
			twin := func() *object { return new(object).add("command", "npx").add("args", []string{"p"}) }
			o := new(object).add("prompt-registry:b:a", twin().add("env", many(n, numbered("A%d"), always("x"))))
			for i := range n {
				o.add(fmt.Sprint("prompt-registry:b:s", i), twin())
			}
			return tree{".vscode/mcp.json": under("servers", o)}
		}},
		{name: "locked tools and permissions of PML", files: func(n int) tree {
			allowed := make([]string, n)
			for i := range allowed {
				allowed[i] = fmt.Sprintf("a%d:b", i)
			}
			return tree{
				".pml.json": text(new(object).add("mcpServers", new(object).add("fs", pinned(1))).add("permissions", new(object).add("allow", allowed))),
				".pml/mcp.lock": text(new(object).add("version", 1).add("entries", many(n, numbered("pml.mcp.fs.r%d"), func(i int) any {
					return new(object).add("fqdn", fmt.Sprintf("pml.mcp.fs.r%d.67c3", i)).add("integrity", "tool:67c3").add("type", "stdio").add("approved", true)
				}))),
			}
		}},
		{name: "locked servers of PML without a file", files: func(n int) tree {
			return tree{
				".pml.json": servers(many(n, numbered("a%d"), pinned)),
				".pml/mcp.lock": text(new(object).add("version", 1).add("entries", many(n, numbered("pml.mcp.f%d.r"), func(i int) any {
					return new(object).add("fqdn", fmt.Sprintf("pml.mcp.f%d.r.67c3", i)).add("integrity", "tool:67c3").add("type", "stdio").add("approved", true)
				}))),
			}
		}},
		{name: "merged and shared servers of ccpkg", files: func(n int) tree {
			merged := make([]string, n)
			for i := range merged {
				merged[i] = fmt.Sprint("s", i)
			}
			pkg := new(object).add("version", "1.0.0").add("merged_mcp_servers", merged)
			return tree{
				".mcp.json": servers(many(n, numbered("z%d"), pinned)),
				".ccpkg/ccpkg-lock.json": text(new(object).add("lockfile_version", 1).add("packages", new(object).add("a", pkg)).
					add("shared_mcp_servers", many(n, numbered("t%d"), func(i int) any {
						return new(object).add("origin", fmt.Sprintf("command::npx -y q%d@1.0.0", i)).add("version", "1.0.0").
							add("declared_by", []string{"a"}).add("active_source", "a")
					}))),
			}
		}},
		{name: "names of one server in a bill of materials", args: []string{"list", "--format", "cyclonedx=/dev/null"}, files: func(n int) tree {
			return tree{".mcp.json": servers(many(n, numbered("s%d"), always(npx("p"))))}
		}},
		{name: "one key, again and again", files: func(n int) tree {
			return tree{".mcp.json": servers(many(n, func(int) string { return "a" }, always(npx("p@1.0.0"))))}
		}},
		{name: "one key of a number, again and again", files: func(n int) tree {
			return tree{".mcp.json": servers(many(n, func(int) string { return "a" }, always(0)))}
		}},
		{name: "one credential at many places", files: func(n int) tree {
			token := "ghp_" + strings.Repeat("a1B2c3D4e5F6", 3)
			return tree{".mcp.json": servers(many(n, numbered("s%d"), func(i int) any {
				return npx(fmt.Sprintf("p%d@1.0.0", i)).add("env", new(object).add("GITHUB_TOKEN", token))
			}))}
		}},
		{name: "credentials in one argument", files: func(n int) tree {
			return tree{".mcp.json": servers(new(object).add("s", npx(strings.Repeat("ghp_"+strings.Repeat("a1B2c3D4e5F6", 3)+" ", n))))}
		}},
		{name: "credentials below a long name", files: func(n int) tree {
			env := many(n, numbered("A%d_TOKEN"), func(i int) any { return fmt.Sprintf("ghp_%036d", i) })
			return tree{".mcp.json": servers(new(object).add(strings.Repeat("x", 50*n), npx("p@1.0.0").add("env", env)))}
		}},
		{name: "a shared server of a long name and its packages", files: func(n int) tree {
			packages := make([]string, n)
			for i := range packages {
				packages[i] = fmt.Sprint("b", i)
			}
			shared := new(object).add("origin", "command::npx -y q@1.0.0").add("version", "1.0.0").add("declared_by", packages).add("active_source", "b0")
			return tree{".ccpkg/ccpkg-lock.json": text(new(object).add("lockfile_version", 1).add("packages", new(object)).
				add("shared_mcp_servers", new(object).add(strings.Repeat("x", 50*n), shared)))}
		}},
		{name: "agent and settings of HoloDeck", files: func(n int) tree {
			tools := func(key, name string) string {
				var b strings.Builder
				fmt.Fprintf(&b, "name: a\ninstructions: {inline: x}\nmodel: {provider: openai, name: x}\n%s:\n", key)
				for i := range n {
					fmt.Fprintf(&b, "  - {name: %s%d, description: x, type: mcp, command: npx, args: [-y, p%d@1.0.0], registry_name: io.x.r/p%d}\n", name, i, i, i)
				}
				return b.String()
			}
			return tree{"agent.yaml": tools("tools", "s"), "config.yaml": tools("mcp_servers", "s"), "config.yml": tools("mcp_servers", "t")}
		}},
		{name: "templates of a shared server", files: func(n int) tree {
			files, packages, names := tree{}, new(object), make([]string, n)
			for i := range n {
				names[i] = fmt.Sprintf("b%0100d", i)
				packages.add(names[i], new(object).add("version", "1.0.0"))
				files[".ccpkg/plugins/"+names[i]+"/mcp/.mcp.json"] = servers(new(object).add("s", npx("q@1.0.0")))
			}
			entry := new(object).add("origin", "command::npx -y q@1.0.0").add("version", "1.0.0").add("declared_by", names[n/2:]).add("active_source", "b0")
			files[".ccpkg/ccpkg-lock.json"] = text(new(object).add("lockfile_version", 1).add("packages", packages).add("shared_mcp_servers", new(object).add("s", entry)))
			return files
		}},
		{name: "inputs and references to them", files: func(n int) tree {
			inputs := make([]*object, n)
			for i := range inputs {
				inputs[i] = new(object).add("id", fmt.Sprint("i", i)).add("type", "promptString")
			}
			env := many(n, numbered("A%d"), func(i int) any { return fmt.Sprintf("${input:j%d}", i) })
			return tree{".vscode/mcp.json": text(new(object).add("inputs", inputs).add("servers", new(object).add("s", npx("p@1.0.0").add("env", env))))}
		}},
		{name: "a credential by its name, and again and again", files: func(n int) tree {
			args := slices.Repeat([]string{issued(0)}, n)
			return tree{".vscode/mcp.json": under("servers", many(1, numbered("s%d"), always(new(object).
				add("command", "x").add("args", args).add("env", new(object).add("API_KEY", issued(0))))))}
		}},
		{name: "credentials that begin alike, and again", files: func(n int) tree {
			env := many(n, numbered("A%d_API_KEY"), func(i int) any { return issued(i) })
			args := make([]string, n)
			for i := range args {
				args[i] = issued(n - i)
			}
			return tree{".mcp.json": servers(many(1, numbered("s%d"), always(new(object).add("command", "x").add("args", args).add("env", env))))}
		}},
		{name: "a second root key", files: func(n int) tree {
			o := many(n, numbered("s%d"), pinned)
			return tree{".cursor/mcp.json": text(new(object).add("mcpServers", o).add("servers", o))}
		}},
		{name: "old and new servers of OpenCode", files: func(n int) tree {
			local := func(i int) any {
				return new(object).add("type", "local").add("command", []string{"npx", fmt.Sprint("p", i)})
			}
			o := new(object).add("servers", many(n, numbered("s%d"), local))
			for i := range n {
				o.add(fmt.Sprint("s", i), local(i))
			}
			return tree{"opencode.json": under("mcp", o)}
		}},
		{name: "duplicates in another order than at the base",
			base: func(n int) tree { return tree{".mcp.json": servers(many(n, numbered("s%d"), always(npx("p@1.0.0"))))} },
			files: func(n int) tree {
				backwards := func(i int) string { return fmt.Sprint("s", n-1-i) }
				return tree{".mcp.json": servers(many(n, backwards, always(npx("p@1.0.0"))))}
			}},
		{name: "files that are elsewhere at the base",
			base:  func(n int) tree { return insecure("a", n) },
			files: func(n int) tree { return insecure("b", n) }},
		{name: "other servers under the names of the base, all approved",
			base: func(n int) tree { return tree{".mcp.json": servers(many(n, numbered("s%d"), pinned))} },
			files: func(n int) tree {
				var names []string
				for i := range n {
					names = append(names, fmt.Sprint("s", i))
				}
				others := many(n, numbered("s%d"), always(npx("q@1.0.0")))
				return tree{
					".mcp.json": servers(others), ".cursor/mcp.json": servers(many(n, numbered("t%d"), always(npx("q@1.0.0")))),
					".claude/settings.json": under("enabledMcpjsonServers", names),
				}
			}},
		{name: "one name in many files, and another server than at the base",
			base:  func(n int) tree { return continuedIn(n, "p%d@1.0.0") },
			files: func(n int) tree { return continuedIn(n, "q%d@1.0.0") }},
		{name: "packages and registries that the base had not, on every server",
			base: func(n int) tree { return tree{".mcp.json": servers(many(n, numbered("s%d"), always(npx("p@1.0.0"))))} },
			files: func(n int) tree {
				with := func(i int) any {
					return npx("-p", "p@1.0.0", "-p", fmt.Sprint("q", i, "@1.0.0"), "p").add("env", map[string]string{"NPM_CONFIG_REGISTRY": fmt.Sprint("https://r", i, ".dev")})
				}
				return tree{".mcp.json": servers(many(n, numbered("s%d"), with))}
			}},
		{name: "a server with more packages and registries than at the base",
			base: func(int) tree { return tree{".mcp.json": servers(new(object).add("s", npx("p@1.0.0")))} },
			files: func(n int) tree {
				words := []string{"-p", "p@1.0.0"}
				for i := range n {
					words = append(words, "-p", fmt.Sprint("q", i, "@1.0.0"), "--registry", fmt.Sprint("https://r", i, ".dev"))
				}
				return tree{".mcp.json": servers(new(object).add("s", npx(append(words, "p")...)))}
			}},
		{name: "new hashes of one package under many names",
			base:  func(n int) tree { return tree{"mcp-tap.lock": hashed(n, "s%d", 0)} },
			files: func(n int) tree { return tree{"mcp-tap.lock": hashed(n, "t%d", n)} }},
		{name: "repeats that texts name", files: func(n int) tree {
			files, named := tree{}, "# MCP\n"
			for i := range n {
				named += fmt.Sprintf("- s%d: `s%d/x` mcp__s%d__x mcp_s%d_x\n", i, i, i, i)
			}
			files[".mcp.json"] = servers(many(n, numbered("s%d"), always(npx("p@1.0.0"))))
			files["CLAUDE.md"], files["a/b/AGENTS.md"] = named+strings.Repeat("`", n), strings.Repeat("mcp_", n)
			for i := range n / 20 {
				files[fmt.Sprintf("d%d/CLAUDE.md", i)] = "the s0 server\n"
				files[fmt.Sprintf("d%d/.mcp.json", i)] = servers(many(2, numbered("t%d"), always(npx("p@1.0.0"))))
			}
			return files
		}},
		{name: "commands before a command", files: func(n int) tree {
			return tree{".mcp.json": servers(new(object).add("s", new(object).add("command", "sh").add("args", []string{"-c", strings.Repeat("cd a && ", n) + "npx p"})))}
		}},
	}
}
