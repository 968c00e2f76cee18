// A module of its own, so that installing mcplumb does not compile it.
module github.com/mcplumb/mcplumb/test/hostile

go 1.26.0
