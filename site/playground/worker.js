// mcplumb in a worker. The page starts it from a blob with the constant "from", the address of
// the playground, in front: a worker from an address would not be bound by the page's policy.
/* global from, Go, mcplumb */
importScripts(`${from}wasm_exec.js`);

const ready = (async () => {
  const go = new Go();
  const program = fetch(`${from}mcplumb.wasm`);
  // A server may not know the type of .wasm, which compiling on the way needs.
  const { instance } = await WebAssembly.instantiateStreaming(program, go.importObject).catch(async () => {
    const answer = await fetch(`${from}mcplumb.wasm`);
    if (!answer.ok) throw new Error(`mcplumb.wasm: ${answer.status}`);
    return WebAssembly.instantiate(await answer.arrayBuffer(), go.importObject);
  });
  go.run(instance).then(() => {
    throw new Error("mcplumb has ended"); // as without memory
  });
})();
ready.catch((failed) => {
  setTimeout(() => {
    throw failed; // the page sees it as an error of the worker
  });
});

onmessage = async ({ data: { id, request } }) => {
  await ready;
  const began = performance.now();
  const answer = JSON.parse(mcplumb(JSON.stringify(request)));
  postMessage({ id, answer, took: performance.now() - began });
};
