// Builds the playground: node build.mjs DIRECTORY writes it next to mcplumb.wasm.zst, which the
// directory already has.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { rules } from "../rules.mjs";
import { inNewest, newest, notNewest, origin } from "../version.mjs";

const out = process.argv[2];
const here = fileURLToPath(new URL(".", import.meta.url));

// The problems that mcplumb was made for come first.
const first = ["alias-drift", "bridged-remote", "duplicate-server", "missing-integrity", "short-name-collision"];
const rank = (rule) => (first.includes(rule.id) ? first.indexOf(rule.id) : first.length);
const samples = rules()
  .toSorted((a, b) => rank(a) - rank(b))
  .map(({ id, title, bad }) => ({ id, title, files: bad }));

await build({
  entryPoints: ["program.js", "main.js", "style.css"].map((name) => join(here, name)),
  outdir: out,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  external: ["./program.js"], // it loads before the rest
  plugins: [
    {
      name: "texts",
      setup({ onResolve, onLoad }) {
        onResolve({ filter: /^samples$/ }, () => ({ path: "samples", namespace: "samples" }));
        onLoad({ filter: /.*/, namespace: "samples" }, () => ({ contents: JSON.stringify(samples), loader: "json" }));
        onLoad({ filter: /playground\/worker\.js$/ }, ({ path }) => ({ contents: readFileSync(path, "utf8"), loader: "text" }));
      },
    },
  ],
});
const page = inNewest("playground/") || inNewest("");
const banner = notNewest && `<p>${notNewest} <a href="${page}">${newest} is the newest version</a>.</p>\n`;
writeFileSync(
  join(out, "index.html"),
  readFileSync(join(here, "index.html"), "utf8")
    .replace("<link rel", `<link rel="canonical" href="${origin}${page}">\n<link rel`)
    .replace("<header>\n", `$&${banner}`),
);
const parts = ["index.html", "program.js", "main.js", "style.css", "wasm_exec.js", "mcplumb.wasm.zst"];
const hash = createHash("sha256");
for (const part of parts) hash.update(readFileSync(join(out, part)));
writeFileSync(
  join(out, "offline.js"),
  `const version = "${hash.digest("hex").slice(0, 16)}";\nconst parts = ${JSON.stringify(["./", ...parts.slice(1)])};\n` +
    readFileSync(join(here, "offline.js"), "utf8"),
);
