// A server of one directory, as a host of static pages is one.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";

const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml" };

// asPages returns an answer as GitHub Pages has it, which knows gzip and no brotli.
export function asPages(body, path) {
  if (extname(path) === ".zst") return { body, headers: {} };
  return { body: gzipSync(body), headers: { "content-encoding": "gzip" } };
}

// serve returns the address of a server of a directory, and what ends it.
export async function serve(directory, encode = (body) => ({ body, headers: {} })) {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname)).replace(/\/$/, "/index.html");
    try {
      const { body, headers } = encode(await readFile(join(directory, path)), path);
      response.writeHead(200, { "content-type": types[extname(path)] ?? "application/octet-stream", ...headers }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}
