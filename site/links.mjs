// Checks that every link and picture of the built site has a target: node links.mjs DIRECTORY.
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { addressOf, all, origin, pages as newer, root, top } from "./version.mjs";

const out = process.argv[2];
const pages = readdirSync(out, { recursive: true }).filter((name) => name.endsWith(".html"));
const text = new Map(pages.map((name) => [name, readFileSync(join(out, name), "utf8")]));
const ids = new Map([...text].map(([name, html]) => [name, new Set([...html.matchAll(/\sid="?([^"\s>]+)/g)].map(([, id]) => id))]));

// Addresses of other versions, which are built before or after this one.
const elsewhere = new Set([...all.map(addressOf), ...newer.map((page) => top + page)]);

// broken returns why an address in a page has no target, "" if it has one.
function broken(address, page) {
  const url = new URL(address.replaceAll("&amp;", "&"), `${origin}${root}${page.replace(/index\.html$/, "")}`);
  if (url.origin !== origin) return /^(https:|mailto:|data:)/.test(url.href) ? "" : "no address";
  if (url.pathname !== root && elsewhere.has(url.pathname)) return "";
  if (!url.pathname.startsWith(root)) return "not of the site";
  let file = decodeURIComponent(url.pathname.slice(root.length));
  if (file === "" || file.endsWith("/")) file += "index.html";
  if (!existsSync(join(out, file)) || !statSync(join(out, file)).isFile()) return "no such page";
  const anchor = decodeURIComponent(url.hash.slice(1));
  const isHandled = anchor === "" || anchor === "_top" || file.startsWith("playground/");
  return isHandled || ids.get(file)?.has(anchor) ? "" : "no such heading";
}

const found = new Set();
let count = 0;
for (const [page, html] of text) {
  for (const [, address] of html.matchAll(/<(?!link rel="canonical")(?:a|link|img|script)\s[^>]*?(?:href|src)="([^"]*)"/g)) {
    count++;
    const why = broken(address, page);
    if (why) found.add(`${page}: ${address}: ${why}`);
  }
}
for (const line of found) console.error(line);
console.log(`links: ${count} in ${pages.length} pages, ${found.size} lead nowhere`);
process.exit(found.size > 0 ? 1 : 0);
