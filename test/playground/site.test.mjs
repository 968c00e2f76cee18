// The pages of the site in a browser.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { opened, problemsOf } from "../pages/browser.mjs";
import { serve } from "./serve.mjs";

let server, address;
before(async () => {
  server = await serve(process.env.SITE);
  address = `${server.address}mcplumb/`;
});
after(() => server.close());

const pages = ["", "first-steps/", "settings/", "rules/", "rules/unpinned-package/", "clients/cursor/"];

test("no serious problem for axe-core, nothing wider than a telephone, no request elsewhere", async () => {
  for (const options of [{ colorScheme: "light" }, { colorScheme: "dark" }, { viewport: { width: 390, height: 844 } }]) {
    await opened(async (page, isQuiet) => {
      for (const path of pages) {
        await page.goto(address + path);
        assert.deepEqual(await problemsOf(page), [], path);
        const [inside, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
        assert.ok(inside <= screen, `${path}: ${inside} wide on ${screen}`);
      }
      isQuiet(server.address);
    }, options);
  }
});

test("a search finds the page of a rule", async () => {
  await opened(async (page) => {
    await page.goto(address);
    await page.locator("button[data-open-modal]:enabled").first().waitFor(); // the search is there
    await page.keyboard.press("ControlOrMeta+k");
    await page.locator("dialog input").fill("pinned");
    await page.locator("dialog a", { hasText: "unpinned-package" }).first().click();
    await page.waitForURL(/rules\/unpinned-package/);
  });
});

test("the example of a rule opens in the playground", async () => {
  await opened(async (page) => {
    await page.goto(`${address}rules/bridged-remote/`);
    await page.getByRole("link", { name: "Open this example in the playground" }).click();
    await page.locator("#findings a", { hasText: "bridged-remote" }).first().waitFor();
  });
});
