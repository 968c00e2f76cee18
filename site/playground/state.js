// The files of the playground as a value: the possible paths, and the link that contains all files.

// The limits keep the page usable when another person's link fills it.
export const limits = { files: 50, bytes: 1 << 20, link: 1 << 18, path: 200 };

// Files below this are what the others are compared with (--base).
export const base = "base:";

// pathProblem returns why a path from the root is not valid, by the rule of Go's io/fs.ValidPath,
// which mcplumb uses; "" if it is valid.
export function pathProblem(path) {
  const name = path.startsWith(base) ? path.slice(base.length) : path;
  if (name === "" || name.length > limits.path) return `a path has 1 to ${limits.path} characters`;
  if (/[\p{Cc}\p{Cf}\\]/u.test(name)) return "a path has no backslashes and no invisible characters";
  if (name.split("/").some((part) => part === "" || part === "." || part === "..")) return 'a path has no part that is empty, "." or ".."';
  return "";
}

// sizeProblem returns why there are too many files or too much in them, "" if there are not.
// Files are pairs of a path and a text.
export function sizeProblem(files) {
  if (files.length > limits.files) return `there is room for ${limits.files} files`;
  if (files.reduce((sum, [, text]) => sum + text.length, 0) > limits.bytes) return "there is room for 1 MB of text";
  return "";
}

// toFragment returns what follows # in a link, for {files, current}; "" if it is too long.
export async function toFragment({ files, current }) {
  const text = JSON.stringify({ v: 1, files, current });
  const packed = await whole(through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text)), Infinity);
  const link = `#1.${toBase64(packed)}`;
  return link.length > limits.link ? "" : link;
}

// fromFragment returns the content of a link. Anyone may have made it: it throws an Error that says
// what is wrong with it, and reads at most what the limits allow.
export async function fromFragment(fragment) {
  if (fragment.length > limits.link) throw new Error("it is too long");
  const packed = /^#1\.([\w-]+)$/.exec(fragment);
  if (!packed) throw new Error("it is not one of the playground");
  let state;
  try {
    const bytes = await whole(through(new DecompressionStream("deflate-raw"), fromBase64(packed[1])), 2 * limits.bytes);
    state = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (failed) {
    throw new Error(failed instanceof RangeError ? failed.message : "it is damaged");
  }
  const isPair = (file) => Array.isArray(file) && file.length === 2 && file.every((part) => typeof part === "string");
  if (state?.v !== 1 || !Array.isArray(state.files) || state.files.length === 0 || !state.files.every(isPair)) {
    throw new Error("it holds no files");
  }
  const paths = state.files.map(([path]) => path);
  const problem = sizeProblem(state.files) || paths.map(pathProblem).find((found) => found);
  if (problem) throw new Error(problem);
  if (new Set(paths).size !== paths.length) throw new Error("it holds two files of one path");
  return { files: state.files, current: paths.includes(state.current) ? state.current : paths[0] };
}

function through(stream, bytes) {
  const writer = stream.writable.getWriter();
  // Reading the other end reports a failure.
  writer.write(bytes).then(() => writer.close()).catch(() => {});
  return stream.readable;
}

// whole reads at most so many bytes of a stream.
async function whole(readable, most) {
  const reader = readable.getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    size += value.length;
    if (size > most) {
      reader.cancel().catch(() => {});
      throw new RangeError("there is room for 1 MB of text");
    }
    parts.push(value);
  }
}

function toBase64(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192)); // all at once would be too many arguments
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

const fromBase64 = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
