// Writes what Starlight reads (src/content/docs, public) from the documentation of the repository.
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { cut, groups, repository } from "./pages.mjs";
import { rules } from "./rules.mjs";
import { origin, root, version } from "./version.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const read = (path) => readFileSync(path, "utf8");

const listed = groups.flatMap((group) => group.pages);
const written = readdirSync("docs").filter((name) => name.endsWith(".md") && name !== "README.md").map((name) => name.slice(0, -3));
const lost = written.filter((name) => !listed.includes(name) && !cut.includes(name));
if (lost.length > 0) throw new Error(`site/pages.mjs does not say where these pages of docs/ are: ${lost.join(", ")}`);

// slug is the anchor that GitHub, and Astro, give a heading.
const slug = (heading) => heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").trim().replace(/\s/g, "-");

// sections cuts a page at its headings of the second level: the text before, and {heading, text}.
function sections(text) {
  const [before, ...rest] = text.split(/^## /m);
  return { before, parts: rest.map((part) => ({ heading: part.slice(0, part.indexOf("\n")), text: part.slice(part.indexOf("\n")) })) };
}

// title returns the heading of a page, and the text without it.
function titled(text) {
  const [, title, rest] = /^(?:<!--.*?-->\s*)?# (.*?)\n(.*)$/s.exec(text);
  return { title: title.replaceAll("`", ""), text: rest };
}

const all = rules();
const clients = sections(titled(read("docs/clients.md")).text);
const isClient = (part) => part.text.includes("| strict | remote |");
const partsOf = {
  clients: new Set(clients.parts.filter(isClient).map((part) => slug(part.heading))),
};

// address returns where a link leads to from a file of the repository.
function address(link, from) {
  if (/^([a-z]+:|#)/.test(link)) return link;
  const [target, anchor = ""] = link.split("#");
  const path = posix.normalize(posix.join(posix.dirname(from), target));
  const hash = anchor && `#${anchor}`;
  const [, page] = /^docs\/([\w-]+)\.md$/.exec(path) ?? [];
  const [, rule] = /^docs\/rules\/([\w-]+)\.md$/.exec(path) ?? [];
  if (page === "README" || path === "README.md") return root;
  if (page === "checks") return `${root}rules/${hash}`;
  if (rule) return `${root}rules/${rule}/${hash}`;
  if (partsOf[page]?.has(anchor)) return `${root}${page}/${anchor}/`;
  if (page) return `${root}${page}/${hash}`;
  if (path.startsWith("site/playground")) return `${root}playground/${hash}`;
  if (/^docs\/[\w.-]+\.(png|svg|json)$/.test(path)) return `${root}${path.slice(5)}`;
  return `${repository}/blob/${version}/${path}${hash}`;
}

// linked returns Markdown with links as the site has them. Code stays as it is.
function linked(text, from) {
  return text
    .split(/(^```[^]*?^```|`[^`\n]+`)/m)
    .map((part, i) => (i % 2 ? part : part.replace(/\]\(([^)\s]+)\)/g, (_, link) => `](${address(link, from)})`)))
    .join("")
    .replace(/^```(\w+) (\S+)$/gm, (_, language, path) => `\`\`\`${language} title=${JSON.stringify(path)}`);
}

const out = "site/src/content/docs/";
const pages = []; // {path, title, description}, for llms.txt
rmSync(out, { recursive: true, force: true });

function write(path, { title, description, text, ...more }, from) {
  pages.push({ path, title, description });
  const front = Object.entries({ title, description, ...more }).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`).join("");
  mkdirSync(posix.dirname(`${out}${path}`), { recursive: true });
  writeFileSync(`${out}${path}.md`, `---\n${front}---\n\n${linked(text, from)}`);
}

// summary returns the first sentences of a page, for search engines.
function summary(text) {
  const first = text.split("\n\n").find((part) => /^[A-Z`*]/.test(part.trim())) ?? "";
  return first.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "").replace(/\s+/g, " ").trim().slice(0, 160);
}

mkdirSync(out, { recursive: true });
writeFileSync(`${out}index.md`, linked(read("site/start.md"), "site/start.md"));
for (const name of listed) {
  const { title, text } = titled(read(`docs/${name}.md`));
  write(name, { title, description: summary(text), text }, `docs/${name}.md`);
}

for (const { id, title: description } of all) {
  const from = `docs/rules/${id}.md`;
  const live = `[Open this example in the playground](../../site/playground#rule=${id}).\n\n`;
  write(`rules/${id}`, { title: id, description, text: titled(read(from)).text.replace("## Bad\n\n", `## Bad\n\n${live}`) }, from);
}
const overview = titled(read("docs/checks.md")).text;
write("rules/index", { title: "Rules", description: "All rules of mcplumb", text: overview, sidebar: { order: 0, label: "All rules" } }, "docs/checks.md");

const others = clients.parts.filter((part) => !isClient(part));
const list = clients.parts.filter(isClient).map((part) => `- [${part.heading}](clients.md#${slug(part.heading)})`).join("\n");
write(
  "clients/index",
  {
    title: "Clients",
    description: "Which files of which clients mcplumb reads",
    text: `${clients.before}\n${list}\n\n${others.map((part) => `## ${part.heading}${part.text}`).join("\n")}`,
    sidebar: { order: 0, label: "All clients" },
  },
  "docs/clients.md",
);
for (const { heading, text } of clients.parts.filter(isClient)) {
  const checked = `## What mcplumb checks

Each server of these files: whether the client reads and starts it as it is written, what it really runs, and whether it is
the same under one name in the files of all clients. See [all rules](checks.md), what the [columns](clients.md) mean, and
[how to write the same servers for another client](sync.md). Try it on your files in the [playground](../site/playground).
`;
  write(`clients/${slug(heading)}`, { title: heading, description: `${heading}: which files, which syntax, what mcplumb checks`, text: `## Which files, which syntax\n${text}\n${checked}` }, "docs/clients.md");
}

mkdirSync("site/public", { recursive: true });
copyFileSync("site/favicon.svg", "site/public/favicon.svg");
for (const name of readdirSync("docs").filter((name) => /\.(png|svg|schema\.json)$/.test(name))) copyFileSync(`docs/${name}`, `site/public/${name}`);
const line = ({ path, title, description }) => `- [${title}](${origin}${root}${path.replace(/index$/, "").replace(/([^/])$/, "$1/")}): ${description}`;
writeFileSync(
  "site/public/llms.txt",
  `# mcplumb

> A linter for the configuration of MCP (Model Context Protocol) servers. It works out what each entry really runs, compares
> the files of a repository by that, and reports problems with line, column and, where there is one, a fix. \`mcplumb check\`
> checks, \`mcplumb list\` lists servers, \`mcplumb explain RULE\` prints a page.

## Documentation

${pages.filter(({ path }) => !path.includes("/")).map(line).join("\n")}

## Rules

${pages.filter(({ path }) => path.startsWith("rules/")).map(line).join("\n")}

## Clients

${pages.filter(({ path }) => path.startsWith("clients/")).map(line).join("\n")}
`,
);
console.log(`site: ${pages.length + 1} pages`);
