// A module of its own, so that installing mcplumb does not download it.
module github.com/mcplumb/mcplumb/test/list

go 1.26.0

require (
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
	github.com/yuin/goldmark v1.8.7
)

require golang.org/x/text v0.14.0 // indirect
