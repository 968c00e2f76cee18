// A module of its own, so that nobody who installs mcplumb compiles it.
module github.com/mcplumb/mcplumb/test/ecosystem

go 1.26.0
