// The page of the catalog in a browser: names, addresses and searches stay text, the page makes no
// request elsewhere, and people can use it without JavaScript.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { opened, problemsOf } from "./browser.mjs";

const mcplumb = process.env.MCPLUMB;

// Each of these would set window.canary, close a tag or turn the direction of the page.
const hostile = [
  "<script>window.canary=1</script>",
  '"><img src=x onerror="window.canary=1">',
  "'><svg/onload=window.canary=1>",
  "</title><script>window.canary=1</script>",
  "</td></table><style>body{display:none}</style>",
  "javascript:window.canary=1",
  "&lt;b&gt;",
  "\u202Egnp.exe",
];

let work, server, address;

before(async () => {
  work = mkdtempSync(join(tmpdir(), "pages-"));
  const repository = join(work, "repository");
  // GitHub takes directories of these names; a slash cannot be in one.
  for (const name of [".", ...hostile.map((text) => text.replaceAll("/", "-"))]) {
    mkdirSync(join(repository, name), { recursive: true });
    const servers = Object.fromEntries(
      hostile.map((text, i) => [text, { type: "http", url: `https://s${i}.acme.dev/mcp?q=${text}` }]),
    );
    servers.wiki = { type: "http", url: "https://wiki.acme.dev/mcp" };
    writeFileSync(join(repository, name, ".mcp.json"), JSON.stringify({ mcpServers: servers }));
  }
  execFileSync("git", ["init", "-q"], { cwd: repository });
  execFileSync(mcplumb, ["lock"], { cwd: repository });
  execFileSync(mcplumb, ["catalog", "build", "--fail-on", "never", "-o", join(work, "site")], { cwd: repository, stdio: "pipe" });
  server = spawn(mcplumb, ["catalog", "serve", "--fail-on", "never", "--addr", "127.0.0.1:0"], { cwd: repository });
  server.stderr.resume();
  for await (const line of createInterface(server.stdout)) {
    address = line.split(" on ")[1];
    break;
  }
});

after(() => {
  server?.kill("SIGINT");
  rmSync(work, { recursive: true, force: true });
});

// rows are the first cells of the table.
const rows = (page) => page.locator("tbody tr:not(.add) td:first-child").allInnerTexts();

test("hostile names are texts", async () => {
  for (const from of [address, pathToFileURL(join(work, "site/index.html")).href]) {
    await opened(async (page, isQuiet) => {
      await page.goto(from);
      const shown = (await rows(page)).join("\n");
      for (const text of hostile.filter((text) => !text.includes("\u202E"))) assert.ok(shown.includes(text), text);
      assert.ok(!(await page.content()).includes("\u202E"), "the direction of the page turns");
      assert.ok(await page.locator("table").isVisible());
      assert.equal(await page.locator("script, img, svg, table style").count(), 0);
      assert.equal(await page.evaluate(() => window.canary), undefined);
      isQuiet(from);
    });
  }
});

test("a search is a text", async () => {
  for (const text of hostile) {
    await opened(async (page, isQuiet) => {
      await page.goto(`${address}?q=${encodeURIComponent(text)}`);
      assert.equal(await page.evaluate(() => window.canary), undefined, text);
      assert.equal(await page.locator("script, img, svg").count(), 0, text);
      isQuiet(address);
    });
  }
});

test("people search without JavaScript, by keyboard", async () => {
  await opened(
    async (page) => {
      await page.goto(address);
      const search = page.getByRole("searchbox");
      for (let i = 0; i < 5 && !(await search.evaluate((e) => e === document.activeElement)); i++) {
        await page.keyboard.press("Tab");
      }
      await page.keyboard.type("wiki.acme.dev");
      await page.keyboard.press("Enter");
      await page.waitForURL(/q=wiki/);
      assert.deepEqual(await rows(page), ["wiki"]);
      assert.match(await page.locator("p.n").first().innerText(), /^1 of 9 servers/);
    },
    { javaScriptEnabled: false },
  );
});

test("nothing serious for axe-core, in the light and in the dark", async () => {
  for (const colorScheme of ["light", "dark"]) {
    await opened(
      async (page) => {
        await page.goto(address);
        assert.deepEqual(await problemsOf(page), []);
      },
      { colorScheme, bypassCSP: true },
    );
  }
});

test("a screen shows all of it, with what to write for clients", async () => {
  for (const viewport of [{ width: 390, height: 844 }, { width: 1280, height: 800 }]) await opened(
    async (page) => {
      await page.goto(address);
      await page.locator("details").evaluateAll((all) => all.forEach((one) => (one.open = true)));
      const [inside, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
      assert.ok(inside <= screen, `${inside} wide on ${screen}`);
    },
    { viewport },
  );
});
