// mcplumb itself: it is fetched and compiled while the editor loads.
const address = new URL("mcplumb.wasm", import.meta.url);

// A server may not know the type of .wasm, which compiling on the way needs.
export const program = WebAssembly.compileStreaming(fetch(address)).catch(async () => {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`mcplumb.wasm: ${answer.status}`);
  return WebAssembly.compile(await answer.arrayBuffer());
});
program.catch(() => {}); // every use of it gets the error
