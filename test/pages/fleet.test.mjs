// The page of fleet report in a browser: a search, an order, a filter, the keyboard and an address
// find who runs what; 50,000 rows do not stutter, and names stay text.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { opened, problemsOf } from "./browser.mjs";

const mcplumb = process.env.MCPLUMB;
const commit = "c".repeat(40);

// Each of these would set window.canary, close an element or turn the direction of the page.
const hostile = [
  "<script>window.canary=1</script>",
  "</script><script>window.canary=1</script>",
  "<!--<script>",
  '"><img src=x onerror="window.canary=1">',
  "'><svg/onload=window.canary=1>",
  "</td></table><style>body{display:none}</style>",
  "javascript:window.canary=1",
  "__proto__",
  "\u202Egnp.exe",
];

let work;
// pages are the addresses of what was reported, by name.
const pages = {};

// npm returns a server of a package; the line tells it from others.
const npm = (name, pkg, line, version, more = {}) => ({
  name, identity: `npm:${pkg}`, kind: "npm", package: pkg, version, purl: `pkg:npm/${pkg.replace("@", "%40")}${version ? "@" + version : ""}`,
  clients: ["claude-code"], scope: "project", path: ".mcp.json", line, column: 5, disabled: false, ...more,
});
const url = (name, address, line) => ({
  name, identity: `url:${address}`, kind: "url", clients: ["cursor"], scope: "project", path: ".cursor/mcp.json", line, column: 5, disabled: false,
});
const finding = (rule, severity, server, message) => ({
  rule, severity, message, identity: server.identity, path: server.path, line: server.line, column: 5, endLine: server.line, endColumn: 9, server: server.name, fingerprint: "0".repeat(32),
});
const put = (dir, name, more) => {
  const file = join(work, dir, `${encodeURIComponent(name)}.json`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({
    version: 1, tool: { name: "mcplumb", version: "1.2.3" }, repository: `github.com/${name}`, url: `https://github.com/${encodeURI(name)}`,
    commit, time: "2026-01-02T03:04:05Z", read: "2026-01-03", servers: [], findings: [], errors: [], ...more,
  }));
};
const report = (name, ...args) => {
  execFileSync(mcplumb, ["fleet", "report", name, ...args, "--format", `html=${name}.html`], { cwd: work, stdio: "pipe" });
  pages[name] = pathToFileURL(join(work, `${name}.html`)).href;
};

before(() => {
  work = mkdtempSync(join(tmpdir(), "pages-"));
  const postmark = npm("mail", "postmark-mcp", 3, "1.0.16");
  const loose = npm("search", "exa-mcp-server", 7);
  const brave = npm("search", "@brave/brave-search-mcp-server", 3, "2.0.0");
  put("small", "acme/api", {
    servers: [postmark, loose, url("linear", "https://mcp.linear.app/mcp", 9)],
    findings: [finding("hardcoded-secret", "error", postmark, "a token of Postmark is written into the file"), finding("unpinned-package", "note", loose, "not pinned")],
  });
  put("small", "acme/web", { servers: [npm("mail", "postmark-mcp", 4, "1.0.12"), npm("search", "exa-mcp-server", 8)], findings: [finding("insecure-url", "warning", postmark, "plain http")] });
  put("small", "other/app", { time: "2025-01-02T03:04:05Z", servers: [brave], findings: [finding("hardcoded-secret", "error", brave, "an older token"), finding("unapproved-server", "warning", brave, "nobody approved it")] });
  put("small", "acme/gone", { failed: "it could not be fetched: no such repository", commit: "", time: "", read: "" });
  put("yesterday", "acme/api", { servers: [npm("mail", "postmark-mcp", 3, "1.0.15"), npm("old", "old-mcp", 5)] });
  report("small", "--previous", "yesterday");
  // What a security team looks for first.
  const thief = npm("letters", "postmark-mcp", 3, "1.0.16");
  const also = (place) => ({ path: place.path, line: place.line + 2, column: 9, endLine: place.line + 2, endColumn: 20, message: `the same credential in the variable TOKEN of "${place.name}"` });
  const spaced = npm('my "own" search', "exa-mcp-server", 11, "1.0.0"), docs = url("docs", "https://docs.acme.dev/mcp", 5);
  put("grave", "acme/api", {
    servers: [thief, npm("two", "two-mcp", 7, "1.0.0"), spaced],
    findings: [
      finding("name-conflict", "error", spaced, "an error of old"),
      { ...finding("malicious-package", "note", thief, "it was published as malware"), identity: "npm:postmark-mcp", fingerprint: "1".repeat(32) },
      { ...finding("hardcoded-secret", "error", thief, "the variable TOKEN of \"letters\" holds a credential"), identity: "npm:postmark-mcp", related: [also(npm("two", "", 7)), also({ ...docs, path: "other.json" })], moreRelated: 3 },
    ],
  });
  put("grave", "acme/kept", { read: "2025-12-30", failed: "it took longer than 15 minutes", servers: [docs], findings: [{ ...finding("insecure-url", "warning", docs, "plain http"), identity: docs.identity }] });
  put("grave", "acme/late", { read: "2026-01-01" });
  put("grave", "acme/gone", { failed: "no such repository", commit: "", time: "", read: "" });
  put("eve", "acme/api", { servers: [thief], findings: [finding("name-conflict", "error", spaced, "an error of old")] });
  put("eve", "acme/old", { tool: { name: "mcplumb", version: "1.0.0" } });
  put("eve", "acme/older", { tool: { name: "mcplumb", version: "1.0.0" } });
  put("eve", "acme/oldest", { tool: { name: "mcplumb", version: "1.0.0" } });
  put("eve", "acme/kept", { read: "2025-12-30", servers: [docs], findings: [finding("insecure-url", "warning", docs, "plain http")] });
  report("grave", "--previous", "eve");
  // What each repository has for itself.
  const local = { name: "tools", identity: "file:dist/server.js", kind: "file", clients: ["cursor"], scope: "project", path: ".cursor/mcp.json", line: 4, column: 5, disabled: false };
  put("local", "acme/api", { servers: [local, npm("off", "off-mcp", 8, "1.0.0", { disabled: true })] });
  put("local", "acme/web", { servers: [local] });
  put("before-local", "acme/api", { servers: [local, npm("mail", "postmark-mcp", 9, "1.0.15")] });
  put("before-local", "acme/old");
  report("local", "--previous", "before-local");
  hostile.forEach((text, i) => {
    const server = { ...npm(text, text, 3, text), identity: text, clients: [text], selector: [text], path: text, scope: text };
    put("hostile", `acme/${i}${text}`, {
      servers: [server], findings: [{ ...finding("name-conflict", "error", server, text), rule: text }], errors: [{ path: text, message: text }],
    });
    put("hostile", `acme/failed-${i}${text}`, { failed: text });
  });
  report("hostile");
  for (let i = 0; i < 2500; i++) {
    const servers = Array.from({ length: 20 }, (_, j) => npm(`tool-${(i * 7 + j) % 300}`, `@acme/tool-${(i * 7 + j) % 300}`, j * 4 + 3, `1.${i % 9}.0`));
    put("large", `acme/r${i}`, { servers });
  }
  report("large");
});

after(() => rmSync(work, { recursive: true, force: true }));

// shown are the cells of a column that the table has now.
const shown = (page, column) => page.locator(`tbody tr[data-row] td:nth-child(${column})`).allInnerTexts();
const count = (page) => page.locator("#count").innerText();
// counted waits for the count of a view: the page learns of a new address a moment later.
const counted = (page, text) => page.locator("#count", { hasText: text }).waitFor();
const search = (page, text) => page.locator("#q").fill(text);

test("a search finds who runs what", async () => {
  await opened(async (page, isQuiet) => {
    await page.goto(pages.small + "#servers");
    assert.equal(await count(page), "6 of 6 · Servers");
    for (const [text, repositories] of [
      ["postmark", ["acme/api", "acme/web"]],
      ["POSTMARK 1.0.12", ["acme/web"]],
      ["package:exa-mcp-server owner:acme", ["acme/api", "acme/web"]],
      ["host:linear.app", ["acme/api"]],
      ["name:\"search\" package:\"@brave/brave-search-mcp-server\"", ["other/app"]],
      ["name:\"sear\"", []],
      ["client:cursor", ["acme/api"]],
      ["rule:hardcoded-secret", ["acme/api", "other/app"]],
      ["repository:other/", ["other/app"]],
      ["repo:other/", ["other/app"]],
      ["repo:\"github.com/other/app\"", ["other/app"]],
      ["repo:\"other/app\"", []],
      ["\"exa-mcp\" \"acme/web\"", ["acme/web"]],
      ["name:\"sear", ["acme/api", "acme/web", "other/app"]], // not closed yet
      ["\"exa-mcp", ["acme/api", "acme/web"]],
      ["exa name:", ["acme/api", "acme/web"]],
      ["npm:postmark", ["acme/api", "acme/web"]],
      ["is:unpinned", ["acme/api", "acme/web"]],
      ["is:first search", ["acme/api", "acme/web", "other/app"]],
      ["nobody", []],
    ]) {
      await search(page, text);
      assert.deepEqual(await shown(page, 5), repositories, text);
    }
    isQuiet(pages.small);
  });
});

test("numbers on top lead to what they count", async () => {
  await opened(async (page) => {
    await page.goto(pages.small + "#servers");
    const cards = await page.locator("#cards a").allInnerTexts();
    assert.deepEqual(cards.map((text) => text.replace("\n", " ")), [
      "6 Servers", "4 Different servers", "2 Not pinned", "2 Errors", "2 Warnings", "4 New errors and warnings", "2 Secrets", "1 Not approved", "1 Names in conflict", "1 Packages at several versions", "1 Not read", "5 New", "1 Gone",
    ]);
    for (const [card, want] of [["Not pinned", "2 of 6 · Servers"], ["Errors", "2 of 4 · Findings"], ["Names in conflict", "1 of 2 · Across repositories"], ["Gone", "1 of 10 · New and gone"], ["New", "5 of 10 · New and gone"]]) {
      await page.locator("#cards a", { hasText: new RegExp(card + "$") }).first().click();
      await counted(page, want);
    }
    await page.goto(pages.small + "#secrets");
    await counted(page, "2 of 2 · Secrets");
    assert.deepEqual(await shown(page, 3), ["an older token", "a token of Postmark is written into the file"], "the oldest commit first");
    await page.goto(pages.small + "#versions");
    await counted(page, "3 of 3 · Versions");
    assert.deepEqual(await shown(page, 3), ["", "1.0.12 ×1, 1.0.16 ×1", "2.0.0 ×1"]);
    await page.goto(pages.small + "#changes?what=changed");
    await counted(page, "1 of 10 · New and gone");
    assert.deepEqual(await shown(page, 4), ["1.0.15"]);
    await page.goto(pages.small + "#organization");
    await page.locator("tbody a", { hasText: "\"search\" is" }).click();
    await counted(page, "3 of 6 · Servers");
  });
});

test("a malicious package is the first thing that is seen, and is found by its name", async () => {
  await opened(async (page, isQuiet) => {
    await page.goto(pages.grave + "#servers");
    const cards = await page.locator("#cards a").allInnerTexts();
    assert.deepEqual(cards.slice(0, 1).map((text) => text.replace("\n", " ")), ["1 Malicious packages"]);
    await page.locator("#cards a").first().click();
    await counted(page, "1 of 4 · Findings");
    assert.deepEqual(await shown(page, 3), ["it was published as malware"], "with any severity in the settings");
    await page.goto(pages.grave + "#findings");
    await counted(page, "4 of 4 · Findings");
    assert.equal((await shown(page, 2))[0], "malicious-package", "before all others");
    assert.equal(await page.locator("tbody td a", { hasText: "malicious-package" }).getAttribute("href"), "https://github.com/mcplumb/mcplumb/blob/main/docs/rules/malicious-package.md");
    for (const [text, rules] of [
      ["package:postmark-mcp", ["malicious-package", "hardcoded-secret"]],
      ["package:\"postmark-mcp\" rule:secret", ["hardcoded-secret"]],
      ["postmark", ["malicious-package", "hardcoded-secret"]],
      ["host:docs.acme.dev", ["insecure-url"]],
      ["is:new", ["malicious-package", "hardcoded-secret"]],
      ["repo:kept", ["insecure-url"]],
    ]) {
      await search(page, text);
      assert.deepEqual(await shown(page, 2), rules, text);
    }
    isQuiet(pages.grave);
  });
});

test("a credential counts once, with its places and for each server that has it", async () => {
  await opened(async (page) => {
    await page.goto(pages.grave + "#secrets");
    await counted(page, "1 of 1 · Secrets: a row for each credential");
    assert.deepEqual(await shown(page, 4), ["6"]);
    await page.goto(pages.grave + "#servers?q=rule:hardcoded-secret");
    await counted(page, "2 of 4 · Servers");
    assert.deepEqual(await shown(page, 1), ["letters", "two"]);
  });
});

test("the page says when everything was read, and what was not read this time", async () => {
  await opened(async (page) => {
    await page.goto(pages.grave + "#servers");
    assert.match(await page.locator("#sub").innerText(), /^4 repositories · read on 2026-01-03 · newest commit 2026-01-02 · mcplumb .*\(most of it was mcplumb 1\.0\.0: findings may be new since the rules are\) · 2 are shown as known before, from 2025-12-30 to 2026-01-01$/);
    await page.locator("#sub a").click();
    await counted(page, "2 of 4 · Repositories");
    assert.deepEqual(await shown(page, 1), ["acme/kept", "acme/late"]);
    assert.deepEqual(await shown(page, 6), ["2025-12-30", "2026-01-01"]);
    assert.deepEqual(await shown(page, 7), ["it took longer than 15 minutes", ""]);
    await page.locator("tbody a", { hasText: "acme/kept" }).click();
    await counted(page, "1 of 4 · Servers");
    await page.goto(pages.grave + "#problems");
    await counted(page, "2 of 2 · Not read");
    assert.deepEqual(await shown(page, 4), ["nothing", "as known on 2025-12-30"]);
    await page.goto(pages.grave + "#servers?q=read:2025-12");
    await counted(page, "1 of 4 · Servers");
  });
});

test("what is local to a repository is a row of its own, and as many are counted", async () => {
  await opened(async (page) => {
    await page.goto(pages.local + "#servers");
    assert.equal((await page.locator("#cards a", { hasText: "Different" }).innerText()).replace("\n", " "), "2 Different servers");
    await page.locator("#cards a", { hasText: "Different" }).click();
    await counted(page, "2 of 2 · Names");
    assert.deepEqual(await shown(page, 1), ["file:dist/server.js in acme/api", "file:dist/server.js in acme/web"]);
    await page.locator("tbody a", { hasText: "acme/web" }).click();
    await counted(page, "1 of 3 · Servers");
  });
});

test("repositories come and go, and what changed is found by its package", async () => {
  await opened(async (page) => {
    await page.goto(pages.local + "#changes");
    await counted(page, "4 of 4 · New and gone");
    await search(page, "package:postmark-mcp");
    assert.deepEqual(await shown(page, 1), ["gone"]);
    await page.goto(pages.local + "#changes?q=repository:acme/old");
    await counted(page, "1 of 4 · New and gone");
    assert.deepEqual([await shown(page, 1), await shown(page, 6)], [["gone-repository"], ["acme/old"]]);
    await page.goto(pages.local + "#changes?what=new-repository");
    await counted(page, "1 of 4 · New and gone");
    assert.deepEqual(await shown(page, 6), ["acme/web"]);
  });
});

test("a quotation mark can be searched", async () => {
  await opened(async (page) => {
    await page.goto(pages.grave + "#servers");
    for (const text of ['name:"my ""own"" search"', '"my ""own"""', 'name:"my ""ow', 'my "own" search', 'own"']) {
      await search(page, text);
      assert.deepEqual(await shown(page, 1), ['my "own" search'], text);
    }
    await page.goto(pages.grave + "#names?q=exa");
    await page.locator("tbody a").first().click();
    await counted(page, "1 of 4 · Servers");
  });
});

test("the graver findings, and the repositories that have them, come first", async () => {
  await opened(async (page) => {
    await page.goto(pages.grave + "#findings");
    await counted(page, "4 of 4 · Findings");
    assert.deepEqual(await shown(page, 2), ["malicious-package", "hardcoded-secret", "name-conflict", "insecure-url"]);
    assert.deepEqual(await page.locator("#filters label").evaluateAll((all) => all.map((label) => label.firstChild.data)), ["Severity", "Rule", "State"], "all have one owner");
    await page.goto(pages.grave + "#repositories");
    await counted(page, "4 of 4 · Repositories");
    assert.deepEqual(await shown(page, 1), ["acme/api", "acme/kept", "acme/gone", "acme/late"]);
    await page.setViewportSize({ width: 1280, height: 700 });
    const row = await page.locator("#row").boundingBox();
    assert.ok(row.y + row.height <= 700, "what a cell cuts off can be read without scrolling");
  });
});

test("all of a row can be read without a mouse", async () => {
  await opened(async (page) => {
    await page.goto(pages.small + "#findings?q=older");
    await counted(page, "1 of 4 · Findings");
    assert.equal(
      await page.locator("#row").innerText(),
      "Severity: error · Rules: hardcoded-secret · Message: an older token · Runs: npm:@brave/brave-search-mcp-server · Repository: github.com/other/app · Place: .mcp.json:3 · State: new · Is it wrong?",
    );
    const form = new URL(await page.locator("#row a").getAttribute("href"));
    assert.equal(form.pathname, "/mcplumb/mcplumb/issues/new");
    assert.equal(form.searchParams.get("template"), "wrong-finding.yml");
    assert.equal(form.searchParams.get("rule"), "hardcoded-secret");
  });
});

test("the page begins with what is wrong, and each rule is a link", async () => {
  await opened(async (page) => {
    await page.goto(pages.small);
    await counted(page, "4 of 4 · Findings");
    await page.goto(pages.grave + "#servers");
    await counted(page, "4 of 4 · Servers");
    const links = page.locator("tbody a", { hasText: /^[a-z-]+$/ });
    assert.ok((await links.count()) >= 3);
    for (const link of await links.all()) assert.match(await link.getAttribute("href"), new RegExp(`/docs/rules/${await link.innerText()}\\.md$`));
  });
});

test("a place is a link to the line", async () => {
  await opened(async (page) => {
    await page.goto(pages.small + "#servers?q=postmark");
    assert.equal(await page.locator("tbody a").first().getAttribute("href"), `https://github.com/acme/api/blob/${commit}/.mcp.json#L3`);
  });
});

test("headings sort, filters choose, and the address keeps both", async () => {
  await opened(async (page) => {
    await page.goto(pages.small + "#servers");
    const version = page.getByRole("button", { name: "Version" });
    await version.click();
    await version.click();
    assert.equal((await shown(page, 3))[0], "2.0.0");
    assert.equal(await page.locator("th[aria-sort]").getAttribute("aria-sort"), "descending");
    await page.getByLabel("Client").selectOption("claude-code");
    assert.equal(await count(page), "5 of 6 · Servers");
    await page.waitForURL(/client=claude-code/);
    const address = page.url();
    await page.goto("about:blank");
    await page.goto(address);
    assert.equal((await shown(page, 3))[0], "2.0.0");
    assert.equal(await count(page), "5 of 6 · Servers");
    await version.click();
    assert.equal((await shown(page, 3))[0], "1.0.16", "the third time it is the order of the report again");
    await page.locator("#views a", { hasText: "Findings" }).click();
    await counted(page, "4 of 4 · Findings");
    await page.goBack();
    await counted(page, "5 of 6 · Servers");
  });
});

test("all of it by keyboard", async () => {
  await opened(async (page, isQuiet) => {
    await page.goto(pages.large + "#servers");
    await page.keyboard.press("/");
    await page.keyboard.type("tool-29");
    assert.match(await count(page), /^1,8\d\d of 50,000 · Servers$/);
    await page.keyboard.press("Enter");
    const current = () => page.locator("tr[aria-current]").getAttribute("aria-rowindex");
    assert.equal(await current(), "2");
    for (const [key, row] of [["ArrowDown", "3"], ["ArrowDown", "4"], ["ArrowUp", "3"], ["Home", "2"]]) {
      await page.keyboard.press(key);
      assert.equal(await current(), row, key);
    }
    await page.keyboard.press("End");
    assert.equal(await current(), await page.locator("table").getAttribute("aria-rowcount"));
    const last = page.locator("tr[aria-current]");
    assert.ok(await last.isVisible());
    const [row, box] = [await last.boundingBox(), await page.locator("#box").boundingBox()];
    assert.ok(row.y >= box.y && row.y + row.height <= box.y + box.height, "the last row can be seen");
    await page.keyboard.press("2");
    await counted(page, "300 of 300 · Versions");
    await page.keyboard.press("/");
    await page.keyboard.type("299");
    assert.match(await count(page), /^1 of 300 · Versions$/);
    await page.keyboard.press("Escape");
    assert.match(await count(page), /^300 of 300 · Versions$/);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await counted(page, / of 50,000 · Servers$/); // those of the first row
    isQuiet(pages.large);
  });
});

test("the tab key goes through the links of rows that come into sight", async () => {
  await opened(async (page) => {
    await page.goto(pages.large + "#servers");
    await page.locator("#box").focus();
    const seen = [];
    for (let i = 0; i < 8; i++) await page.keyboard.press("Tab"); // the headings
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press("Tab");
      seen.push(await page.evaluate(() => document.activeElement.closest("tr")?.dataset.row));
    }
    assert.deepEqual(seen, Array.from({ length: 60 }, (_, i) => String(i)));
  });
});

test("a link followed right after a search opens", async () => {
  await opened(async (page, isQuiet) => {
    // What is left for later comes in between the link and the page's hearing of it.
    await page.addInitScript(() => {
      const later = window.setTimeout;
      window.delayed = [];
      window.setTimeout = (work, ...rest) => window.delayed.push(work) && later(work, ...rest);
    });
    await page.goto(pages.small + "#servers");
    await page.evaluate(() => {
      const q = document.getElementById("q");
      q.value = "a";
      q.dispatchEvent(new Event("input"));
      location.hash = "names";
      for (const work of window.delayed) work();
    });
    await counted(page, "· Names");
    assert.equal(new URL(page.url()).hash, "#names");
    isQuiet(pages.small);
  });
});

test("50,000 rows", async (t) => {
  await opened(async (page, isQuiet) => {
    const began = Date.now();
    await page.goto(pages.large + "#servers");
    t.diagnostic(`opened after ${Date.now() - began} ms`);
    assert.ok((await page.locator("tbody tr").count()) < 100, "only what can be seen is there");
    // Each step until the browser has painted it.
    const step = (work) => page.evaluate(async (work) => {
      const began = performance.now();
      new Function(work)();
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return performance.now() - began;
    }, work);
    const measured = {};
    const q = (text) => `const q = document.getElementById("q"); q.value = ${JSON.stringify(text)}; q.dispatchEvent(new Event("input"))`;
    for (const text of ["t", "to", "tool-1", "package:tool-1 version:1.2", "nothing at all", ""]) measured[`search ${JSON.stringify(text)}`] = await step(q(text));
    for (const name of [0, 2, 4]) measured[`sort by column ${name + 1}`] = await step(`document.querySelectorAll("th button")[${name}].click()`);
    for (const top of [1e3, 5e5, 1e6, 1.5e6, 0]) measured[`scroll to ${top}`] = await step(`document.getElementById("box").scrollTop = ${top}`);
    measured["open the versions"] = await step(`location.hash = "versions"`);
    for (const [what, ms] of Object.entries(measured)) t.diagnostic(`${what}: ${ms.toFixed(0)} ms`);
    await page.goto(pages.large + "#servers?row=49999");
    await counted(page, "50,000 of 50,000 · Servers");
    assert.equal(await page.locator("tr[aria-current]").getAttribute("aria-rowindex"), "50000");
    isQuiet(pages.large);
  }, { bypassCSP: true });
});

test("hostile names are texts, in every view", async () => {
  await opened(async (page, isQuiet) => {
    await page.goto(pages.hostile + "#servers");
    for (const view of await page.locator("#views a").all()) {
      await view.click();
      await counted(page, await view.innerText());
      assert.ok((await page.locator("tbody tr[data-row]").count()) > 0);
      assert.equal(await page.locator("img, svg, main style, main script").count(), 0);
      assert.equal(await page.evaluate(() => window.canary), undefined);
      for (const href of await page.locator("a").evaluateAll((links) => links.map((a) => a.getAttribute("href")))) assert.match(href, /^(https:\/\/github\.com\/|#)/);
    }
    assert.ok(!(await page.content()).includes("\u202E"), "the direction of the page turns");
    await page.goto(pages.hostile + "#servers");
    await counted(page, "Servers");
    const names = await shown(page, 1);
    for (const text of hostile.filter((text) => !text.includes("\u202E"))) {
      assert.ok(names.includes(text), text);
      await search(page, text);
      assert.equal(await page.evaluate(() => window.canary), undefined);
      const address = `${pages.hostile}#servers?${new URLSearchParams({ q: text, sort: text, client: text, row: text })}`;
      await page.goto("about:blank");
      await page.goto(address);
      assert.equal(await page.evaluate(() => window.canary), undefined);
    }
    isQuiet(pages.hostile);
  });
});

test("the policy of the page runs its own script alone", async () => {
  await opened(async (page) => {
    await page.goto(pages.small + "#servers");
    await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.canary = 1";
      document.body.append(script);
      document.body.insertAdjacentHTML("beforeend", '<img src="https://evil.dev/x">');
    });
    assert.equal(await page.evaluate(() => window.canary), undefined);
  });
});

test("nothing serious for axe-core, in the light and in the dark, in every view", async () => {
  for (const colorScheme of ["light", "dark"]) {
    await opened(
      async (page) => {
        await page.goto(pages.small + "#servers");
        for (const view of await page.locator("#views a").all()) {
          await view.click();
          await counted(page, await view.innerText());
          assert.deepEqual(await problemsOf(page), [], await view.innerText());
        }
      },
      { colorScheme, bypassCSP: true },
    );
  }
});

test("dark where people want it dark", async () => {
  const colors = {};
  for (const colorScheme of ["light", "dark"]) {
    await opened(async (page) => {
      await page.goto(pages.small + "#servers");
      colors[colorScheme] = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    }, { colorScheme });
  }
  assert.deepEqual(colors, { light: "rgb(255, 255, 255)", dark: "rgb(13, 17, 23)" });
});

test("a screen of a telephone shows all of it", async () => {
  await opened(
    async (page) => {
      await page.goto(pages.small + "#servers");
      const [inside, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
      assert.ok(inside <= screen, `${inside} wide on ${screen}`);
    },
    { viewport: { width: 390, height: 844 } },
  );
});
