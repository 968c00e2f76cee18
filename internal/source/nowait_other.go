//go:build !unix

package source

// noWaiting opens a file as any other: there are no pipes among files here.
const noWaiting = 0
