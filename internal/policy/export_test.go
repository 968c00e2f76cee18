package policy

// NamesOf is namesOf for tests that read whole repositories.
var NamesOf = namesOf
