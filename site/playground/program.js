// mcplumb itself: it is fetched, unpacked and compiled while the editor loads. Browsers unpack
// only gzip, which makes the program half as large again.
import { Decompress } from "fzstd";

// unpacked returns the content of a zstd stream, as it arrives. fail gets the error of one that is
// broken or empty: a browser may wait for the rest of what it compiles.
function unpacked(stream, fail) {
  let unpack;
  let received = 0;
  const guarded = (step) => {
    try {
      step();
    } catch (error) {
      fail(error);
      throw error;
    }
  };
  return stream.pipeThrough(
    new TransformStream({
      start: (out) => void (unpack = new Decompress((bytes) => out.enqueue(bytes))),
      transform: (bytes) => guarded(() => ((received += bytes.length), unpack.push(bytes))),
      flush: () =>
        guarded(() => {
          if (received === 0) throw new Error("the program is empty");
          unpack.push(new Uint8Array(0), true); // which throws if the end is missing
        }),
    }),
  );
}

async function load() {
  const answer = await fetch(new URL("mcplumb.wasm.zst", import.meta.url));
  if (!answer.ok) throw new Error(`mcplumb.wasm.zst: ${answer.status}`);
  return new Promise((resolve, reject) => {
    const content = unpacked(answer.body, reject);
    WebAssembly.compileStreaming(new Response(content, { headers: { "content-type": "application/wasm" } })).then(resolve, reject);
  });
}

export const program = load();
program.catch(() => {}); // every use of it gets the error
