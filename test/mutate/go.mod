// A module of its own, so that installing mcplumb does not download what judges it.
module github.com/mcplumb/mcplumb/test/mutate

go 1.26.0

require (
	github.com/BurntSushi/toml v1.6.0
	github.com/goccy/go-yaml v1.19.2
	github.com/mcplumb/mcplumb v0.0.0
	github.com/rogpeppe/go-internal v1.16.0
	github.com/tidwall/jsonc v0.3.3
)

require (
	deps.dev/util/semver v0.0.0-20260727054525-2946ae4a6141 // indirect
	github.com/CycloneDX/cyclonedx-go v0.12.0 // indirect
	github.com/aymanbagabas/go-udiff v0.4.1 // indirect
	github.com/bmatcuk/doublestar/v4 v4.10.4 // indirect
	github.com/git-pkgs/gitignore v1.2.0 // indirect
	github.com/hashicorp/errwrap v1.0.0 // indirect
	github.com/hashicorp/go-multierror v1.1.1 // indirect
	github.com/owenrumney/go-sarif/v2 v2.3.3 // indirect
	github.com/package-url/packageurl-go v0.1.7 // indirect
	github.com/pelletier/go-toml/v2 v2.4.3 // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	go.yaml.in/yaml/v3 v3.0.6 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
	mvdan.cc/sh/v3 v3.14.1 // indirect
)

replace github.com/mcplumb/mcplumb => ../..
