// The playground: files on one side, what mcplumb finds in them on the other. Everything that
// comes from files, links and answers reaches the page as text.
import samples from "samples";
import { newAsker } from "./ask.js";
import { diff, mark, newEditor, newState } from "./editor.js";
import { edited, offsetIn } from "./places.js";
import { base, fromFragment, limits, pathProblem, sizeProblem, toFragment } from "./state.js";

const $ = (id) => document.getElementById(id);
const pause = 100; // milliseconds without a key before mcplumb is asked

// element returns a new element with properties and children.
function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const most = { findings: 200, servers: 500, looked: 20000 }; // how many are shown, and how many files of a folder are examined
const severities = ["error", "warning", "note"]; // the most severe first

// The files: states of the editor by path, in the order of the tabs.
let files = new Map();
let current = "";
let report = { findings: [], errors: [] };
// The version of the files, and the one that the report is of.
let version = 0;
let reported = -1;
const view = newEditor($("editor"));
const ask = newAsker();
const textOf = (path) => (path === current ? view.state : files.get(path))?.doc.toString();
const pairs = () => [...files.keys()].map((path) => [path, textOf(path)]);

// say shows the outcome of an action.
function say(sentence) {
  $("notice").textContent = sentence;
}

// show replaces the files with others.
function show(all, path) {
  files = new Map(all.map(([name, text]) => [name, newState(name, text, changed)]));
  current = "";
  select(files.has(path) ? path : all[0][0]);
  changed();
}

// put adds files, or replaces the texts of existing ones. It reports whether there is room for
// them.
function put(all) {
  const merged = new Map([...pairs(), ...all]);
  const problem = all.map(([path]) => pathProblem(path)).find((found) => found) || sizeProblem([...merged]);
  if (problem || all.length === 0) {
    say(problem ? `Not added: ${problem}.` : "There are no files that mcplumb reads.");
    return false;
  }
  for (const [path, text] of all) {
    if (path === current) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    else if (files.has(path)) files.set(path, files.get(path).update({ changes: { from: 0, to: files.get(path).doc.length, insert: text } }).state);
    else files.set(path, newState(path, text, changed));
  }
  changed();
  return true;
}

function select(path) {
  if (files.has(current)) files.set(current, view.state);
  current = path;
  view.setState(files.get(path));
  draw();
}

function changed() {
  version++;
  later();
}

let timer;
// later checks the files once the typing has paused.
function later() {
  clearTimeout(timer);
  timer = setTimeout(check, pause);
}

// questions returns the files in the form of a request to mcplumb.
function questions() {
  const now = [], before = [];
  for (const [path, text] of pairs()) {
    if (path.startsWith(base)) before.push([path.slice(base.length), text]);
    else now.push([path, text]);
  }
  return { files: Object.fromEntries(now), base: before.length > 0 ? Object.fromEntries(before) : null };
}

let isAsking = false;
async function check() {
  if (isAsking) return; // the answer asks again
  isAsking = true;
  const own = version;
  try {
    const answer = await ask({ do: "check", ...questions() });
    if (own === version) {
      report = answer.report ?? { findings: [], errors: [] };
      report.findings.sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
      reported = own;
      tell(answer);
    }
  } catch (error) {
    say(error.message);
  }
  isAsking = false;
  if (own !== version) later();
  keepLink();
}

// keepLink stores the files in the address of the page, if there is room, without filling the
// history.
async function keepLink() {
  history.replaceState(null, "", (await toFragment({ files: pairs(), current })) || location.pathname);
}

// draw shows the files, and the findings in the one that is open.
function draw() {
  const worst = (path) => report.findings.find((f) => f.path === path)?.severity ?? "";
  const hadFocus = $("tabs").contains(document.activeElement);
  $("tabs").replaceChildren(
    ...[...files.keys()].map((path) => {
      const tab = element("button", { textContent: path, className: worst(path), tabIndex: path === current ? 0 : -1, onclick: () => select(path) });
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-selected", path === current);
      tab.setAttribute("aria-controls", "editor");
      return tab;
    }),
  );
  if (hadFocus) $("tabs").querySelector("[aria-selected=true]").focus();
  $("editor").setAttribute("aria-label", current);
  $("remove").disabled = files.size < 2;
  if (reported !== version) return;
  const offset = offsetIn(textOf(current));
  mark(
    view,
    report.findings
      .filter((f) => f.path === current)
      .slice(0, most.findings)
      .map((f) => ({
        from: offset(f.line, f.column),
        to: offset(f.endLine, f.endColumn),
        severity: f.severity === "note" ? "info" : f.severity,
        source: f.rule,
        message: f.message,
        actions: (f.fixes ?? []).map((fix) => ({ name: fix.title, apply: () => proposeFix(fix) })),
      })),
  );
}

// go shows a place in its file.
function go(place) {
  if (!files.has(place.path)) return;
  if (place.path !== current) select(place.path);
  const at = offsetIn(textOf(current))(place.line, place.column);
  view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
  view.focus();
}

const placeButton = (place) =>
  element("button", { className: "text", textContent: `${place.path}:${place.line}:${place.column}`, onclick: () => go(place) });

// tell shows an answer.
function tell({ error, list }) {
  const { summary } = report;
  const count = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
  const counted = summary && [[summary.errors, "error"], [summary.warnings, "warning"], [summary.notes, "note"]].filter(([n]) => n > 0);
  const found = counted?.length > 0 ? counted.map(([n, word]) => count(n, word)).join(", ") : "No findings";
  const unread = report.errors.map((e) => (e.path ? `${e.path}: ${e.message}` : e.message));
  $("status").textContent = [summary && `${found} in ${count(summary.files, "file")} with ${count(summary.servers, "server")}.`, error, ...unread, ...(report.notices ?? [])].filter(Boolean).join(" ");
  $("fix").disabled = !report.findings.some((f) => f.fixes?.some((fix) => fix.safety === "safe"));
  $("fix-all").disabled = !summary?.fixable;
  $("findings").replaceChildren(...report.findings.slice(0, most.findings).map(findingItem));
  const more = report.findings.length - most.findings;
  if (more > 0) $("findings").append(element("li", { textContent: `and ${more} more` }));
  $("servers").replaceChildren(
    ...(list?.servers ?? []).slice(0, most.servers).map((s) =>
      element(
        "tr",
        {},
        element("td", {}, element("button", { className: "text", textContent: s.name, onclick: () => go(s) })),
        element("td", { textContent: s.identity ?? "" }),
        element("td", { textContent: s.version ?? "" }),
        element("td", { textContent: s.path }),
      ),
    ),
  );
  draw();
}

function findingItem(f) {
  const item = element("li", { className: f.severity }, element("b", { className: f.severity, textContent: f.severity }), ` ${f.message} `);
  item.append(element("a", { href: `../rules/${encodeURIComponent(f.rule)}/`, textContent: f.rule }));
  item.append(element("div", {}, placeButton(f)));
  for (const r of f.related ?? []) item.append(element("div", { className: "place" }, placeButton(r), ` ${r.message}`));
  for (const fix of f.fixes ?? []) {
    item.append(element("button", { textContent: `Fix: ${fix.title}`, onclick: () => proposeFix(fix) }), " ");
  }
  return item;
}

// proposeFix proposes a fix, whose places are those of the files that were reported on.
function proposeFix(fix) {
  if (reported === version) propose(fix.title, edited(textOf, fix.edits));
  else say("The files are being checked again: try the fix in a moment.");
}

// propose shows how files would change, and changes them if the user agrees.
async function propose(title, all, text = "") {
  $("diff-title").textContent = title;
  $("diff-text").textContent = text;
  $("diff-text").hidden = text === "";
  const shown = [...all].map(([path, after]) => {
    const place = element("div", {});
    $("diffs").append(element("h3", { textContent: files.has(path) ? path : `${path} (new)` }), place);
    return diff(place, path, textOf(path) ?? "", after);
  });
  if (all.size === 0) $("diffs").append(element("p", { textContent: "Nothing changes." }));
  $("diff-dialog").querySelector("[value=apply]").disabled = all.size === 0;
  const answer = await closed($("diff-dialog"));
  for (const one of shown) one.destroy();
  $("diffs").replaceChildren();
  if (answer === "apply" && put([...all]) && !all.has(current)) select([...all.keys()][0]);
}

// closed opens a dialog and promises the value that it is closed with.
function closed(dialog) {
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => dialog.addEventListener("close", () => done(dialog.returnValue), { once: true }));
}

// proposeAnswer proposes what mcplumb would change.
async function proposeAnswer(title, request) {
  const answer = await ask({ ...questions(), ...request }).catch((error) => ({ error: error.message }));
  const said = answer.report?.findings.filter(() => request.do === "sync").map((f) => f.message) ?? [];
  await propose(title, new Map(Object.entries(answer.changed ?? {})), [answer.error, answer.text, ...said].filter(Boolean).join("\n").trim());
}

// askPath asks for a path, which no other file has; "" if the dialog is canceled.
async function askPath(title, path) {
  $("path-title").textContent = title;
  $("path").value = path;
  const judge = () => {
    const given = $("path").value.trim();
    const problem = pathProblem(given) || (files.has(given) && given !== path ? "there is such a file" : "");
    $("path-problem").textContent = given === "" ? "" : problem;
    $("path-dialog").querySelector("[value=ok]").disabled = problem !== "";
  };
  $("path").oninput = judge;
  judge();
  return (await closed($("path-dialog"))) === "ok" ? $("path").value.trim() : "";
}

// pathOf guesses the path of a pasted text.
function pathOf(text) {
  const guesses = [
    [/^\s*\[mcp_servers/m, ".codex/config.toml"],
    [/"mcpServers"\s*:/, ".mcp.json"],
    [/"lockfile_version"\s*:/, "mcp-tap.lock"],
    [/"mcp"\s*:/, "opencode.json"],
    [/"context_servers"\s*:/, ".zed/settings.json"],
    [/"servers"\s*:/, ".vscode/mcp.json"],
  ];
  return guesses.find(([sign]) => sign.test(text))?.[1] ?? "";
}

$("add").onclick = async () => {
  const path = await askPath("Add a file", "");
  if (path && put([[path, ""]])) {
    select(path);
    view.focus();
  }
};
$("rename").onclick = async () => {
  const path = await askPath(`Rename ${current}`, current);
  if (path && path !== current) show(pairs().map(([name, text]) => [name === current ? path : name, text]), path);
};
$("remove").onclick = () => {
  const left = pairs().filter(([path]) => path !== current);
  show(left, left[0][0]);
};
$("settings").onclick = () => {
  const path = ".mcplumb.yaml";
  if (files.has(path) || put([[path, "# docs: settings\nrules:\n  unpinned-package: warning\n"]])) select(path);
};
$("fix").onclick = () => proposeAnswer("Fix what is safe", { do: "fix" });
$("fix-all").onclick = () => proposeAnswer("Fix all", { do: "fix", unsafe: true });
$("sync").onclick = () => {
  const { value, selectedOptions } = $("client");
  proposeAnswer(`The servers of ${current} for ${selectedOptions[0].text}`, { do: "sync", from: current, to: value });
};

// copy puts a text into the clipboard and says so.
async function copy(text, sentence) {
  try {
    await navigator.clipboard.writeText(text);
    say(sentence);
  } catch {
    say("The browser does not let the page copy.");
  }
}

$("share").onclick = async () => {
  const fragment = await toFragment({ files: pairs(), current });
  if (fragment === "") return say("There is too much in the files for a link.");
  history.replaceState(null, "", fragment);
  await copy(location.href, "Copied: the link holds all files. Look for credentials in them before you share it.");
};

// fenced returns a text as a block of Markdown that the text itself cannot end.
function fenced(text) {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text.replace(/\n?$/, "\n")}${fence}`;
}

$("issue").onclick = () => {
  const found = report.findings.map((f) => `${f.path}:${f.line}:${f.column}: ${f.severity}: ${f.message} [${f.rule}]`).join("\n");
  const parts = ["What mcplumb should say instead:\n", `Seen in the playground of ${$("version").textContent || "mcplumb"}.\n`, "## Findings\n", fenced(found || "none")];
  for (const [path, text] of pairs()) parts.push(`\n## ${path.replaceAll(/[^\w./:-]/g, "_")}\n`, fenced(text));
  return copy(`${parts.join("\n")}\n`, "Copied: the findings and all files. Look for credentials in them before you post it.");
};

// Tabs are one stop of the Tab key; arrows go through them.
$("tabs").onkeydown = (event) => {
  const paths = [...files.keys()];
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const to = { Home: 0, End: paths.length - 1 }[event.key] ?? (step && (paths.indexOf(current) + step + paths.length) % paths.length);
  if (to === undefined) return;
  event.preventDefault();
  select(paths[to]);
};

// chosen returns those of many files that mcplumb reads, as pairs of path and text. Each is
// {path, file}.
async function chosen(all) {
  const { reads } = await ask({ do: "reads", files: Object.fromEntries(all.map(({ path }) => [path, ""])) });
  const wanted = all.filter(({ path }) => reads.includes(path) && pathProblem(path) === "").slice(0, limits.files);
  const small = wanted.filter(({ file }) => file.size <= limits.bytes);
  return Promise.all(small.map(async ({ path, file }) => [path, await file.text()]));
}

const isSkipped = (name) => name === ".git" || name === "node_modules";

// filesBelow returns {path, file} of what was dropped.
async function filesBelow(entries) {
  const found = [];
  const walk = async (entry, path) => {
    if (found.length >= most.looked || isSkipped(entry.name)) return;
    if (entry.isFile) {
      found.push({ path, file: await new Promise((done, refuse) => entry.file(done, refuse)) });
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((done, refuse) => reader.readEntries(done, refuse));
      if (some.length === 0) return;
      for (const below of some) await walk(below, path ? `${path}/${below.name}` : below.name);
    }
  };
  for (const entry of entries) {
    // A folder is a repository, unless it is one that clients read.
    await walk(entry, entry.isDirectory && !entry.name.startsWith(".") ? "" : entry.name);
  }
  return found;
}

// take shows chosen files.
async function take(found) {
  try {
    const all = await chosen(found);
    if (all.length === 0) return say("There are no files that mcplumb reads.");
    const problem = sizeProblem(all);
    if (problem) return say(`Not opened: ${problem}.`);
    show(all, all[0][0]);
  } catch {
    say("The files cannot be read.");
  }
}

addEventListener("dragover", (event) => {
  if (!event.dataTransfer.types.includes("Files")) return;
  event.preventDefault();
  document.body.classList.add("dragged");
});
addEventListener("dragleave", () => document.body.classList.remove("dragged"));
addEventListener(
  "drop",
  (event) => {
    document.body.classList.remove("dragged");
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    if (entries.length === 0) return; // text, which the editor takes
    event.preventDefault();
    event.stopPropagation();
    filesBelow(entries).then(take, () => say("The files cannot be read."));
  },
  { capture: true },
);
$("open").onclick = () => $("folder").click();
$("folder").onchange = () => {
  const all = [...$("folder").files].map((file) => ({ path: file.webkitRelativePath.replace(/^[^/]*\//, "") || file.name, file }));
  take(all.filter(({ path }) => !path.split("/").some(isSkipped)).slice(0, most.looked));
};

// What is pasted outside of a field is a new file.
addEventListener("paste", async (event) => {
  if (event.target.closest?.("input, .cm-editor, dialog")) return;
  const text = event.clipboardData.getData("text/plain");
  if (text === "") return;
  event.preventDefault();
  const path = await askPath("Add what you pasted", pathOf(text));
  if (path && put([[path, text]])) select(path);
});

$("samples").append(
  element("option", { value: "", textContent: "choose…" }),
  ...samples.map(({ id, title }) => element("option", { value: id, textContent: `${id}: ${title}` })),
);
const sampleOf = (id) => samples.find((sample) => sample.id === id);
$("samples").onchange = () => {
  const sample = sampleOf($("samples").value);
  if (sample) show(sample.files, sample.files[0][0]);
};

// begin shows the content that the address names: the example of a rule, or the files of a link.
async function begin() {
  const [, id] = /^#rule=([a-z-]+)$/.exec(location.hash) ?? [];
  const sample = sampleOf(id) ?? samples[0];
  let state = { files: sample.files, current: sample.files.find(([path]) => !path.startsWith(base))[0] };
  let problem = "";
  if (location.hash && !id) {
    try {
      state = await fromFragment(location.hash);
    } catch (failed) {
      problem = `The link cannot be opened: ${failed.message}.`;
    }
  } else {
    $("samples").value = sample.id;
  }
  show(state.files, state.current);
  check(); // before any typing
  if (problem) say(problem);
}

async function prepare() {
  const { about } = await ask({ do: "about" });
  $("version").textContent = about.version;
  $("client").append(...about.clients.map(({ id, title }) => element("option", { value: id, textContent: title })));
  $("client").value = "cursor";
  $("sync").disabled = false;
}

$("paths").append(...[".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json", ".codex/config.toml", ".gemini/settings.json", "opencode.json", ".mcplumb.yaml"].map((value) => element("option", { value })));
addEventListener("hashchange", begin);
begin();
prepare().catch((error) => say(error.message));
navigator.serviceWorker?.register("offline.js").catch(() => {}); // the page works without
