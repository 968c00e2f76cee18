// Requests to mcplumb: the worker, restarted if it fails.
import { program } from "./program.js";
import worker from "./worker.js"; // as text, see build.mjs

const restarts = 3;

// newAsker returns a function that sends a request and promises the answer. The message of its
// errors is a sentence for the person.
export function newAsker() {
  const from = `const from = ${JSON.stringify(new URL(".", location.href).href)};\n`;
  const source = URL.createObjectURL(new Blob([from, worker], { type: "text/javascript" }));
  const waiting = new Map();
  let current, ended, id = 0, starts = 0;
  const start = () => {
    const own = (current = new Worker(source));
    program.then((compiled) => own.postMessage({ program: compiled })).catch(() => {}); // every request gets the error
    current.onmessage = ({ data }) => {
      waiting.get(data.id)?.done(data.answer);
      waiting.delete(data.id);
      performance.measure("mcplumb", { start: performance.now() - data.took, duration: data.took });
    };
    current.onerror = (event) => {
      event.preventDefault();
      own.terminate();
      let error = new Error("mcplumb failed on these files, and was started again.");
      if (starts++ < restarts) start();
      else error = ended = new Error("mcplumb does not run in this browser: reload the page, or install mcplumb.");
      for (const { refuse } of waiting.values()) refuse(error);
      waiting.clear();
    };
  };
  start();
  return async (request) => {
    await program.catch(() => {
      throw new Error("mcplumb cannot be loaded: reload the page, or install mcplumb.");
    });
    if (ended) throw ended;
    return new Promise((done, refuse) => {
      waiting.set(++id, { done, refuse });
      current.postMessage({ id, request });
    });
  };
}
