// The playground in a browser, as people use it, and as a hostile link would have it.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { opened, problemsOf } from "../pages/browser.mjs";
import { asPages, serve } from "./serve.mjs";

let server, address;
before(async () => {
  server = await serve(process.env.SITE);
  address = `${server.address}mcplumb/playground/`;
});
after(() => server.close());

const alone = { permissions: ["clipboard-read", "clipboard-write"] };

// withoutCopy keeps a page from copying itself into the browser, which takes its time.
const withoutCopy = (page) => page.addInitScript(() => Object.assign(navigator.serviceWorker ?? {}, { register: async () => {} }));

const tabs = (page) => page.getByRole("tab").allInnerTexts();
const rules = (page) => page.locator("#findings li > a").allInnerTexts();
const finds = (page, rule) => page.locator("#findings li > a", { hasText: new RegExp(`^${rule}$`) }).first().waitFor();
const finished = (page) => page.locator("#status", { hasText: / in \d+ files? with / }).waitFor();
const linkOf = (state) => `${address}#1.${deflateRawSync(typeof state === "string" ? state : JSON.stringify(state)).toString("base64url")}`;
const filesLink = (files) => linkOf({ v: 1, files: Object.entries(files), current: Object.keys(files)[0] });
const oneServer = (name, entry) => `${JSON.stringify({ mcpServers: { [name]: entry } }, null, 2)}\n`;
const http = { type: "http", url: "https://wiki.acme.dev/mcp" };

// use opens the playground with files, and checks that it then logs and requests nothing else.
async function use(from, act, options = {}) {
  await opened(
    async (page, isQuiet) => {
      await withoutCopy(page);
      await page.goto(from ?? address);
      await finished(page);
      await act(page);
      isQuiet(server.address);
    },
    { ...alone, ...options },
  );
}

test("every example shows its rule", async () => {
  await use(undefined, async (page) => {
    const ids = await page.locator("#samples option").evaluateAll((all) => all.map((option) => option.value).filter(Boolean));
    assert.ok(ids.length > 40);
    assert.deepEqual(ids.slice(0, 5), ["alias-drift", "bridged-remote", "duplicate-server", "missing-integrity", "short-name-collision"]);
    for (const id of ids) {
      await page.locator("#samples").selectOption(id);
      await finds(page, id);
    }
  });
});

test("findings appear where and while a person types", async () => {
  await use(filesLink({ ".mcp.json": oneServer("wiki", http) }), async (page) => {
    assert.deepEqual(await rules(page), []);
    await page.getByText("https://wiki.acme.dev/mcp").last().dblclick();
    await page.locator(".cm-content").press("ControlOrMeta+a");
    await page.keyboard.insertText(oneServer("wiki", { type: "http", url: "http://wiki.acme.dev/mcp" }));
    await finds(page, "insecure-url");
    assert.equal(await page.locator(".cm-lintRange-warning").innerText(), '"http://wiki.acme.dev/mcp"');
    assert.deepEqual(await page.locator("#servers td").allInnerTexts(), ["wiki", "url:http://wiki.acme.dev/mcp", "", ".mcp.json"]);
  });
});

test("places count characters, not units of UTF-16", async () => {
  const text = `\ufeff{"mcpServers": {"😀😀": {"type": "http", "url": "http://wiki.acme.dev/mcp"}}}\r\n`;
  await use(filesLink({ ".cursor/mcp.json": text }), async (page) => {
    assert.equal(await page.locator(".cm-lintRange-warning").last().innerText(), '"http://wiki.acme.dev/mcp"');
  });
});

test("a fix is shown and then made", async () => {
  await use(`${address}#rule=alias-drift`, async (page) => {
    await page.getByRole("button", { name: /^Fix: rename/ }).first().click();
    const dialog = page.getByRole("dialog");
    assert.match(await dialog.locator(".cm-deletedChunk").innerText(), /vercel-mcp/);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    assert.ok((await rules(page)).includes("alias-drift"));
    await page.getByRole("button", { name: "Fix all" }).click();
    assert.match(await dialog.innerText(), /alias-drift/);
    await dialog.getByRole("button", { name: "Apply" }).click();
    await page.waitForFunction(() => !document.getElementById("findings").innerText.includes("alias-drift"));
  });
});

test("the same servers for another client", async () => {
  await use(filesLink({ ".mcp.json": oneServer("wiki", http) }), async (page) => {
    await page.locator("#client").selectOption("vscode");
    await page.getByRole("button", { name: "Write" }).click();
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("tab", { name: ".vscode/mcp.json" }).waitFor();
    assert.deepEqual(await tabs(page), [".mcp.json", ".vscode/mcp.json"]);
    assert.match(await page.locator(".cm-content").innerText(), /"servers"/);
  });
});

test("settings are a file", async () => {
  const pinned = oneServer("wiki", { command: "npx", args: ["-y", "@acme/wiki-mcp"] });
  await use(filesLink({ ".mcp.json": pinned, ".mcplumb.yaml": "rules: {unpinned-package: error}\n" }), async (page) => {
    await page.locator("#findings .error").first().waitFor();
    await page.getByRole("button", { name: "Settings" }).click();
    await page.locator(".cm-content").press("ControlOrMeta+a");
    await page.keyboard.insertText("rules: 3\n");
    await page.locator("#status", { hasText: "rules must be a mapping" }).waitFor();
  });
});

test("files are added, renamed, removed and pasted", async () => {
  await use(filesLink({ ".mcp.json": oneServer("wiki", http) }), async (page) => {
    const name = async (button, path) => {
      if (button) await page.getByRole("button", { name: button, exact: true }).click();
      await page.locator("#path").fill(path);
    };
    await name("Add file", "../x");
    assert.ok(await page.getByRole("button", { name: "OK" }).isDisabled());
    await name("", ".cursor/mcp.json");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: ".cursor/mcp.json" }).waitFor();
    await name("Rename", ".vscode/mcp.json");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: ".vscode/mcp.json" }).waitFor();
    await page.getByRole("button", { name: "Remove" }).click();
    assert.deepEqual(await tabs(page), [".mcp.json"]);
    await page.evaluate(() => navigator.clipboard.writeText('[mcp_servers.wiki]\nurl = "https://wiki.acme.dev/mcp"\n'));
    await page.locator("h1").click();
    await page.keyboard.press("ControlOrMeta+v");
    assert.equal(await page.locator("#path").inputValue(), ".codex/config.toml");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: ".codex/config.toml" }).waitFor();
    await page.waitForFunction(() => document.querySelectorAll("#servers tr").length === 2);
  });
});

test("a folder that is dropped is a repository", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dropped-"));
  const files = { ".mcp.json": oneServer("wiki", http), ".cursor/mcp.json": oneServer("other", http), "src/main.js": "1", "node_modules/x/.mcp.json": "{}" };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  try {
    await use(undefined, async (page) => {
      const client = await page.context().newCDPSession(page);
      const data = { items: [], files: [folder], dragOperationsMask: 1 };
      for (const type of ["dragEnter", "dragOver", "drop"]) await client.send("Input.dispatchDragEvent", { type, x: 300, y: 300, data });
      await page.getByText(".vscode/mcp.json").first().waitFor({ state: "detached" }); // of the example before
      await finds(page, "alias-drift");
      assert.deepEqual((await tabs(page)).sort(), [".cursor/mcp.json", ".mcp.json"]);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a link holds all of it", async () => {
  const files = { ".mcp.json": oneServer("wiki", http), ".cursor/mcp.json": "\ufeff{}\r\n", "base:.mcp.json": "{}\n" };
  let copied;
  await use(filesLink(files), async (page) => {
    await finds(page, "new-server");
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByText("the link holds all files").waitFor();
    copied = await page.evaluate(() => navigator.clipboard.readText());
  });
  await use(copied, async (page) => {
    assert.deepEqual(await tabs(page), Object.keys(files));
    await finds(page, "new-server");
    await page.getByRole("button", { name: "Copy link" }).click();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), copied);
  });
});

test("an issue has findings and files, and no file ends its block", async () => {
  await use(filesLink({ ".mcp.json": oneServer("w", { type: "http", url: "http://a.acme.dev/```" }) }), async (page) => {
    await page.getByRole("button", { name: "Copy as issue" }).click();
    await page.getByText("Copied: the findings").waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(text, /\[insecure-url\]/);
    assert.match(text, /^Seen in the playground of mcplumb \d+\.\d+\.\d+( \(commit [^)]+\))?\.$/m);
    assert.ok(text.includes(await page.locator("#version").innerText()), "the version that the page shows");
    assert.match(text, /^````\n\{/m);
  });
});

test("hostile names are texts", async () => {
  const hostile = ['<img src=x onerror="window.canary=1">', "<script>window.canary=1</script>", "javascript:window.canary=1", "__proto__", "${7*7}{{7*7}}"];
  const files = Object.fromEntries(hostile.map((name) => [`${name.replaceAll("/", "-")}/.mcp.json`, oneServer(name, { type: "http", url: `http://acme.dev/${name}` })]));
  await use(filesLink(files), async (page) => {
    await finds(page, "insecure-url");
    assert.ok((await page.locator("#servers").innerText()).includes(hostile[0]));
    assert.equal(await page.locator("#results img, #results script, #tabs img, #tabs script").count(), 0);
    await page.getByRole("button", { name: "Fix all" }).click();
    await page.getByRole("dialog").waitFor();
    assert.equal(await page.locator("dialog img, dialog script").count(), 0);
    assert.equal(await page.evaluate(() => window.canary), undefined);
  });
});

test("a hostile link is refused in a sentence, at once", async () => {
  const files = (count, path = (i) => `${i}/.mcp.json`) => ({ v: 1, files: Array.from({ length: count }, (_, i) => [path(i), "{}"]) });
  const links = [
    linkOf(files(51)),
    linkOf(files(1, () => "../.mcp.json")),
    linkOf(files(1, () => "a\u202Eb")),
    linkOf(files(2, () => ".mcp.json")),
    linkOf({ v: 1, files: [[".mcp.json", 1]] }),
    linkOf({ v: 2, files: [] }),
    linkOf("null"),
    linkOf({ v: 1, files: [[".mcp.json", "x".repeat(1 << 20) + "xx"]] }),
    linkOf(" ".repeat(100 << 20)), // 100 MB in 100 KB
    `${address}#1.${"A".repeat(300000)}`,
    `${address}#1.!!`,
    `${address}#2.AAAA`,
    `${address}#<img src=x onerror="window.canary=1">`,
  ];
  await opened(async (page, isQuiet) => {
    await withoutCopy(page);
    for (const link of links) {
      await page.goto("about:blank");
      await page.goto(link);
      await page.locator("#notice", { hasText: "The link cannot be opened: " }).waitFor();
      assert.deepEqual((await tabs(page)).slice(0, 1), [".mcp.json"], link.slice(0, 100));
      assert.equal(await page.evaluate(() => window.canary), undefined);
    }
    await finished(page);
    isQuiet(server.address);
  }, alone);
});

test("what a link may hold does not stop the page", async () => {
  const list = `{"mcpServers": {${Array.from({ length: 5000 }, (_, i) => `"s${i}": {"command": "npx", "args": ["p${i}"]}`).join(",")}}}`;
  await use(filesLink({ ".mcp.json": list, "a.json": "[".repeat(100000) }), async (page) => {
    await page.getByRole("button", { name: "Settings" }).click();
    assert.ok((await tabs(page)).includes(".mcplumb.yaml"));
  });
});

test("nothing leaves the page, nor the worker", async () => {
  const elsewhere = await serve(process.env.SITE, () => assert.fail("it was asked"));
  await opened(async (page) => {
    await page.goto(address);
    await finished(page);
    const send = (url) => Promise.race([fetch(url), new Promise((done) => setTimeout(done, 3000))]).then(() => "sent", (failed) => failed.name);
    for (const context of [page, page.workers()[0]]) assert.equal(await context.evaluate(send, elsewhere.address), "TypeError");
    assert.equal(await page.evaluate((src) => new Promise((done) => Object.assign(new Image(), { src, onload: () => done("sent"), onerror: () => done("refused") })), `${elsewhere.address}mcplumb/favicon.svg`), "refused");
  }, alone);
  elsewhere.close();
});

test("the first load is at most 4 MB over the wire", async (t) => {
  const sizes = new Map();
  const counting = await serve(process.env.SITE, (body, path) => {
    const answer = asPages(body, path);
    sizes.set(path.split("/").pop(), answer.body.length);
    return answer;
  });
  await opened(async (page, isQuiet) => {
    await withoutCopy(page);
    await page.goto(`${counting.address}mcplumb/playground/`);
    await finished(page);
    isQuiet(counting.address);
  });
  counting.close();
  for (const [name, size] of sizes) t.diagnostic(`${name}: ${size} bytes`);
  assert.ok([...sizes.values()].reduce((a, b) => a + b) <= 4e6);
});

test("a truncated program is reported", async () => {
  for (const left of [0, 1e6]) {
    const broken = await serve(process.env.SITE, (body, path) => ({ body: path.endsWith(".zst") ? body.subarray(0, left) : body, headers: {} }));
    await opened(async (page) => {
      await withoutCopy(page);
      await page.goto(`${broken.address}mcplumb/playground/`);
      await page.locator("#notice", { hasText: "mcplumb cannot be loaded" }).waitFor();
    });
    broken.close();
  }
});

test("a worker that fails is started again", async () => {
  await opened(async (page) => {
    await withoutCopy(page);
    await page.goto(address);
    await finished(page);
    await page.workers()[0].evaluate(() => setTimeout(() => Promise.reject(new Error("out of memory"))));
    await page.waitForEvent("worker");
    await page.locator("#samples").selectOption("insecure-url");
    await finds(page, "insecure-url");
  });
});

test("it opens without a network", async () => {
  await opened(async (page) => {
    await page.goto(address);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(() => caches.keys().then((keys) => keys.length === 1));
    await page.reload();
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.context().setOffline(true);
    await page.goto(`${address}#rule=insecure-url`);
    await page.reload();
    await finds(page, "insecure-url");
  });
});

test("everything is there by keyboard", async () => {
  await use(`${address}#rule=alias-drift`, async (page) => {
    const reach = async (name) => {
      for (let i = 0; i < 60; i++) {
        await page.keyboard.press("Tab");
        if (await page.evaluate((text) => document.activeElement.textContent.startsWith(text), name)) return;
      }
      assert.fail(`Tab does not reach ${name}`);
    };
    await reach(".mcp.json");
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator('[role=tab][aria-selected="true"]').innerText(), ".cursor/mcp.json");
    await page.keyboard.press("End");
    await reach("Fix: rename"); // through the editor, which lets the key go
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("dialog .cm-content").waitFor({ state: "detached" });
    await page.locator(".cm-content").focus();
    await page.keyboard.press("F8");
    await page.locator(".cm-tooltip-lint, .cm-panel-lint").first().waitFor();
  });
});

test("nothing serious for axe-core, in the light and in the dark", async () => {
  for (const colorScheme of ["light", "dark"]) {
    await use(`${address}#rule=alias-drift`, async (page) => {
      assert.deepEqual(await problemsOf(page), []);
      await page.getByRole("button", { name: "Fix all" }).click();
      await page.getByRole("dialog").waitFor();
      assert.deepEqual(await problemsOf(page), []);
    }, { colorScheme });
  }
});

test("a screen of a telephone shows all of it", async () => {
  await use(`${address}#rule=missing-integrity`, async (page) => {
    const [inside, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    assert.ok(inside <= screen, `${inside} wide on ${screen}`);
    await page.getByRole("button", { name: "Add file" }).tap();
    await page.getByRole("dialog").waitFor();
  }, { viewport: { width: 390, height: 844 }, hasTouch: true });
});
