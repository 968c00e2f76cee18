package syntax

// Memory is what trees are built from, one after the other: with it, reading
// many files allocates little more than the biggest of them needs. A tree is
// valid until the next one is built from the same memory. The zero Memory is
// ready to use; it is not safe for concurrent use.
type Memory struct {
	// The biggest chunks so far, overwritten by every tree.
	nodes []Node
	links []*Node
	// The parser's stacks, empty between two trees.
	open    []container
	pending []*Node
}

// keep remembers a chunk for the next tree if it is bigger than what is there.
func keep[T any](chunk *[]T, newest []T) {
	if len(newest) > len(*chunk) {
		*chunk = newest
	}
}
