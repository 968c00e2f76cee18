// A module of its own, beside the clients that it runs.
module github.com/mcplumb/mcplumb/test/clients

go 1.26.0

require (
	github.com/mcplumb/mcplumb v0.0.0
	github.com/stretchr/testify v1.12.1
)

require (
	deps.dev/util/semver v0.0.0-20260727054525-2946ae4a6141 // indirect
	github.com/package-url/packageurl-go v0.1.7 // indirect
	github.com/pelletier/go-toml/v2 v2.4.3 // indirect
	go.yaml.in/yaml/v3 v3.0.6 // indirect
	mvdan.cc/sh/v3 v3.14.1 // indirect
)

replace github.com/mcplumb/mcplumb => ../..
