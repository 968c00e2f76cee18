// Checks what "mcplumb list" writes for people with the programs that show it:
//
//   node check.mjs NAME…
//
// NAME.mmd is drawn by Mermaid: every name and server has its node, every label
// shows the text that is written in it, and nothing is in the drawing that could
// act. NAME.md is shown by marked as one table, of text and code alone, with a
// row for every server of NAME.json.
import fs from "node:fs";
import { JSDOM } from "jsdom";
import { marked } from "marked";

const { window } = new JSDOM("<body></body>", { pretendToBeVisual: true });
const { document } = window;
for (const name of ["window", "document", "Element", "SVGElement", "HTMLElement", "Node", "DOMParser", "XMLSerializer", "CSSStyleSheet"]) {
  globalThis[name] ??= window[name];
}
// jsdom draws nothing, so everything has the same size. What Mermaid keeps of
// the points of a line is not Latin-1 then.
window.SVGElement.prototype.getBBox = () => ({ x: 0, y: 0, width: 100, height: 20 });
window.SVGElement.prototype.getComputedTextLength = () => 100;
globalThis.btoa = (text) => Buffer.from(text).toString("base64");

const { default: mermaid } = await import("mermaid");
mermaid.initialize({ startOnLoad: false, securityLevel: "strict" });

// Drawing takes a second for every hundred names; larger maps are only parsed.
const drawn = 30_000;

const problems = [];
const names = process.argv.slice(2);
for (const name of names) {
  const problem = (text) => problems.push(`${name}: ${text}`);
  try {
    await checkMap(fs.readFileSync(`${name}.mmd`, "utf8"), problem);
    const { servers } = JSON.parse(fs.readFileSync(`${name}.json`, "utf8"));
    checkTable(fs.readFileSync(`${name}.md`, "utf8"), servers.length, problem);
  } catch (error) {
    problem(error.message);
  }
}
problems.forEach((text) => console.log(text));
console.log(`${names.length} lists were shown, with ${problems.length} problems`);
process.exit(problems.length > 0 || names.length === 0 ? 1 : 0);

async function checkMap(source, problem) {
  const lines = source.trimEnd().split("\n");
  const labels = new Map(); // what every node and group should show
  for (const line of lines) {
    const node = /^  (?:subgraph )?([a-z]+\d*)(?:\[|\(\[)"([^"]*)"(?:\]|\]\))(?::::[a-z]+)?$/.exec(line);
    if (node) {
      labels.set(node[1], shown(node[2]));
    } else if (!/^(flowchart LR|  end|  classDef [a-z]+ [a-z0-9:#, -]+|  n\d+ (-- [a-z-]+ )?--> s\d+)$/.test(line)) {
      problem(`a line of the map is no node, edge or style: ${line}`);
    }
  }

  const { db } = await mermaid.mermaidAPI.getDiagramFromText(source);
  const nodes = [...db.getVertices().values()];
  const groups = db.getSubGraphs();
  const ids = [...nodes, ...groups].map((node) => node.id);
  if (ids.length !== labels.size || ids.some((id) => !labels.has(id))) {
    problem(`${ids.length} nodes, not ${labels.size}`);
  }
  if (nodes.some((node) => node.link || node.haveCallback || node.img || node.icon || node.styles.length > 0)) {
    problem("a node acts");
  }
  if (db.getEdges().length !== lines.filter((line) => / --> s\d+$/.test(line)).length) {
    problem("an edge is missing");
  }
  if (source.length > drawn) {
    return;
  }

  const { svg } = await mermaid.render("map", source);
  const drawing = new JSDOM(svg).window.document;
  const seen = [...drawing.querySelectorAll(".node .nodeLabel, .cluster-label .nodeLabel")].map((label) => label.textContent.trim());
  const written = [...labels.values()];
  for (const label of new Set([...seen, ...written])) {
    if (count(seen, label) !== count(written, label)) {
      problem(`${JSON.stringify(label)} is written ${count(written, label)} times and shown ${count(seen, label)} times`);
    }
  }
  for (const element of drawing.querySelectorAll("a, script, img, image, iframe, object, form, input, [onclick], [onload], [onerror], [href^='java']")) {
    problem(`<${element.localName}> in the drawing`);
  }
  if (drawing.querySelectorAll(".nodeLabel :not(p, br)").length > 0) {
    problem("a label holds HTML");
  }
}

// shown is the text that a label should show: entities decoded once, without line breaks
// (Mermaid reads "\\n" as one, however it is written) and space at its ends.
function shown(text) {
  return text.replaceAll("<br>", "").replace(/#(\d+);/g, (_, code) => String.fromCodePoint(code)).replaceAll("\\n", "").trim();
}

function checkTable(markdown, rows, problem) {
  const body = new JSDOM(marked.parse(markdown, { gfm: true })).window.document.body;
  const table = body.firstElementChild;
  if (body.childElementCount !== 1 || (table.localName !== "table" && rows > 0)) {
    problem("the Markdown is not one table");
  }
  if (body.querySelectorAll("tbody tr").length !== rows) {
    problem(`${body.querySelectorAll("tbody tr").length} rows for ${rows} servers`);
  }
  for (const element of body.querySelectorAll(":not(table, thead, tbody, tr, th, td, td code)")) {
    if (rows > 0) {
      problem(`<${element.localName}> in the Markdown`);
    }
  }
}

function count(texts, wanted) {
  return texts.filter((text) => text === wanted).length;
}
