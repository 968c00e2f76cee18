// A browser for the tests of pages: Chromium of the system, without a window.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after } from "node:test";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
after(() => browser.close());

// opened hands a new page to a function, along with a function that checks that the page logged
// nothing and made requests only to an address.
export async function opened(use, options = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const asked = [];
  const said = [];
  page.on("request", (request) => asked.push(request.url()));
  page.on("dialog", (dialog) => said.push(dialog.message()) && dialog.dismiss());
  page.on("pageerror", (error) => said.push(String(error)));
  page.on("console", (message) => said.push(message.text()));
  const isQuiet = (address) => {
    assert.deepEqual(asked.filter((url) => !url.replace(/^blob:/, "").startsWith(address)), []);
    assert.deepEqual(said, []);
  };
  try {
    await use(page, isQuiet);
  } finally {
    await context.close();
  }
}

// problemsOf returns what axe-core calls serious or critical on a page.
export async function problemsOf(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run());
  return violations
    .filter((v) => ["serious", "critical"].includes(v.impact))
    .map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(" ")}`);
}
