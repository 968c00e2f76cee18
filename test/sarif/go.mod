// A module of its own, so that installing mcplumb does not download it.
module github.com/mcplumb/mcplumb/test/sarif

go 1.26.0

// go-sarif v3 is not imported: its copy of the schema is read.
require (
	github.com/owenrumney/go-sarif/v3 v3.3.1
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
)

require golang.org/x/text v0.14.0 // indirect
