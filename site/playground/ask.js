// Requests to mcplumb: the worker, restarted if it fails.
import { program } from "./program.js";
import worker from "./worker.js"; // as text, see build.mjs

const restarts = 3;

// newAsker returns a function that sends a request and promises the answer. Failed is called
// with a sentence if no answer will come.
export function newAsker(failed) {
  const from = `const from = ${JSON.stringify(new URL(".", location.href).href)};\n`;
  const source = URL.createObjectURL(new Blob([from, worker], { type: "text/javascript" }));
  const waiting = new Map();
  let current, id = 0, starts = 0;
  const start = () => {
    const own = (current = new Worker(source));
    program.then((compiled) => own.postMessage({ program: compiled }));
    current.onmessage = ({ data }) => {
      waiting.get(data.id)?.done(data.answer);
      waiting.delete(data.id);
      performance.measure("mcplumb", { start: performance.now() - data.took, duration: data.took });
    };
    current.onerror = (event) => {
      event.preventDefault();
      own.terminate();
      for (const { refuse } of waiting.values()) refuse(new Error(event.message));
      waiting.clear();
      if (starts++ < restarts) start();
      else failed("mcplumb does not run in this browser: reload the page, or install mcplumb.");
    };
  };
  start();
  return (request) =>
    new Promise((done, refuse) => {
      const own = ++id;
      waiting.set(own, { done, refuse });
      program.then(() => current.postMessage({ id: own, request }), refuse);
    });
}
