// What scripts/versions needs to know about pages:
//   node moved.mjs list [--pages DIRECTORY] NAME…  prints the file SITE_VERSIONS of version.mjs
//   node moved.mjs link DIRECTORY FOLDER…          redirects an address that only another version has to that version
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const pagesIn = (directory) =>
  readdirSync(directory, { recursive: true })
    .filter((name) => /(^|\/)index\.html$/.test(name))
    .map((name) => name.slice(0, -"index.html".length))
    .sort();

const [what, ...rest] = process.argv.slice(2);
if (what === "list") {
  const directory = rest[0] === "--pages" ? rest.splice(0, 2)[1] : "";
  console.log(JSON.stringify({ all: rest, newest: rest[0], pages: directory ? pagesIn(directory) : [] }));
} else {
  const [out, ...folders] = rest;
  for (const folder of folders) {
    for (const page of pagesIn(join(out, folder))) {
      if (existsSync(join(out, page, "index.html"))) continue;
      mkdirSync(join(out, page), { recursive: true });
      const there = `/mcplumb/${folder}/${page}`;
      writeFileSync(
        join(out, page, "index.html"),
        `<!doctype html><html lang="en"><meta charset="utf-8"><title>mcplumb ${folder}</title><link rel="canonical" href="https://mcplumb.github.io${there}">` +
          `<meta http-equiv="refresh" content="0; url=${there}"><p>This page is of <a href="${there}">mcplumb ${folder}</a>.</p></html>\n`,
      );
    }
  }
}
