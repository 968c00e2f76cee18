// A module of its own, so that installing mcplumb does not download it.
module github.com/mcplumb/mcplumb/test/channels

go 1.26.0

require github.com/stretchr/testify v1.12.1

require go.yaml.in/yaml/v3 v3.0.5 // indirect
