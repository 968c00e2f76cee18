// mcplumb compiled for a browser, in node.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInThisContext } from "node:vm";

// load starts the program in a directory, with the loader of the same Go next to it, and returns
// the function that sends it requests.
export async function load(directory) {
  runInThisContext(readFileSync(join(directory, "wasm_exec.js"), "utf8"));
  const go = new globalThis.Go();
  const { instance } = await WebAssembly.instantiate(execFileSync("zstd", ["-dc", join(directory, "mcplumb.wasm.zst")], { maxBuffer: 1 << 28 }), go.importObject);
  go.run(instance); // it returns when the program waits
  return (request) => JSON.parse(globalThis.mcplumb(JSON.stringify(request)));
}
