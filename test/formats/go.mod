// A module of its own, so that installing mcplumb does not download it.
module github.com/mcplumb/mcplumb/test/formats

go 1.26.0

require (
	github.com/joshdk/go-junit v1.0.0
	github.com/reviewdog/reviewdog v0.21.1
	github.com/yuin/goldmark v1.8.7
	golang.org/x/net v0.59.0
)

require (
	github.com/haya14busa/go-sarif v0.0.0-20240630170108-a3ba8d79599f // indirect
	github.com/reviewdog/errorformat v0.0.0-20260721110140-13bff69235f3 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)
