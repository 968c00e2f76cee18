// mcplumb itself: it is fetched, unpacked and compiled while the editor loads. Browsers unpack
// only gzip, which makes the program half as large again.
import { Decompress } from "fzstd";

// unpacked returns the content of a zstd stream, as it arrives.
function unpacked(stream) {
  let unpack;
  return stream.pipeThrough(
    new TransformStream({
      start: (out) => void (unpack = new Decompress((bytes) => out.enqueue(bytes))),
      transform: (bytes) => unpack.push(bytes),
      flush: () => unpack.push(new Uint8Array(0), true), // which throws if the end is missing
    }),
  );
}

async function load() {
  const answer = await fetch(new URL("mcplumb.wasm.zst", import.meta.url));
  if (!answer.ok) throw new Error(`mcplumb.wasm.zst: ${answer.status}`);
  return WebAssembly.compileStreaming(new Response(unpacked(answer.body), { headers: { "content-type": "application/wasm" } }));
}

export const program = load();
program.catch(() => {}); // every use of it gets the error
