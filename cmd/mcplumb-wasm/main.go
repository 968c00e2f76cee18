//go:build js && wasm

// Command mcplumb-wasm is mcplumb for a browser: it sets the function mcplumb, which takes and
// returns JSON, and waits to be called.
package main

import (
	"context"
	"runtime/debug"
	"syscall/js"

	"github.com/mcplumb/mcplumb/internal/app/playground"
)

// growth is how much the heap may grow between two collections, in percent. It is generous because
// the heap is small, and a person is typing.
const growth = 400

func main() {
	debug.SetGCPercent(growth)
	js.Global().Set("mcplumb", js.FuncOf(func(_ js.Value, args []js.Value) (answer any) {
		// A panic would end the program, and with it the page.
		defer func() {
			if recover() != nil {
				answer = `{"error": "mcplumb failed on these files: please report them"}`
			}
		}()
		return string(playground.Respond(context.Background(), []byte(args[0].String())))
	}))
	select {}
}
