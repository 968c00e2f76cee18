// The rules as their pages (checks/*.md) and docs/checks.md have them, for pages and playground.
import { readFileSync, readdirSync } from "node:fs";

const root = new URL("../", import.meta.url);

// rules returns {id, title, severity, precision, text, bad} of every rule, sorted by id: text is
// the page without its heading, bad the files of its example as pairs of path and text.
export function rules() {
  const table = readFileSync(new URL("docs/checks.md", root), "utf8");
  return readdirSync(new URL("checks/", root))
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => {
      const page = readFileSync(new URL(`checks/${name}`, root), "utf8");
      const [, front, id, text] = /^---\n(.*?)\n---\n\n# (\S+)\n\n(.*)$/s.exec(page);
      const meta = (key) => new RegExp(`^${key}: (.*)$`, "m").exec(front)[1];
      const [, title] = new RegExp(`^\\| \\[\`${id}\`\\]\\(rules/${id}\\.md\\) \\| (.*?) \\|`, "m").exec(table);
      return { id, title, severity: meta("severity"), precision: meta("precision"), text, bad: examples(text, "Bad") };
    });
}

// examples returns the blocks below a heading that have a path after their language.
function examples(text, heading) {
  const section = new RegExp(`^## ${heading}\n(.*?)(?=^## |(?![^]))`, "ms").exec(text)[1];
  return [...section.matchAll(/^```\S+ (\S+)\n(.*?\n)```$/gms)].map(([, path, content]) => [path.replace(/^base\//, "base:"), content]);
}
