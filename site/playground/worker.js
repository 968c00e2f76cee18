// mcplumb in a worker. The page starts it from a blob with the constant "from", the address of
// the playground, in front: a worker from an address would not be bound by the page's policy.
// First it gets the compiled program, then requests.
/* global from, Go, mcplumb */
importScripts(`${from}wasm_exec.js`);

let ready;

async function start(program) {
  const go = new Go();
  const instance = await WebAssembly.instantiate(program, go.importObject);
  go.run(instance).then(() => {
    throw new Error("mcplumb has ended"); // as without memory
  });
}

onmessage = async ({ data: { program, id, request } }) => {
  if (program) {
    ready = start(program);
    return;
  }
  await ready;
  const began = performance.now();
  const answer = JSON.parse(mcplumb(JSON.stringify(request)));
  postMessage({ id, answer, took: performance.now() - began });
};

// An uncaught error must reach the page, which starts another worker.
onunhandledrejection = ({ reason }) => {
  setTimeout(() => {
    throw reason;
  });
};
