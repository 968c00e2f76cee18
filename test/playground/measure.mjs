// Prints how fast the playground is, served as GitHub Pages does; it asserts nothing.
import { chromium } from "../pages/node_modules/playwright-core/index.mjs";
import { asPages, serve } from "./serve.mjs";

const at = (sorted, share) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]);
const print = (name, all) => {
  const sorted = all.toSorted((a, b) => a - b);
  console.log(`${name}: median ${at(sorted, 0.5)} ms, 95th percentile ${at(sorted, 0.95)} ms, of ${all.length}`);
};

const server = await serve(process.env.SITE, asPages);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
const loads = [], answers = [], keys = [];
for (let run = 0; run < 5; run++) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => {
    globalThis.keys = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.name === "keydown") globalThis.keys.push(entry.duration);
    }).observe({ type: "event", durationThreshold: 16 });
  });
  const began = performance.now();
  await page.goto(`${server.address}mcplumb/playground/`);
  await page.locator("#findings li").first().waitFor();
  loads.push(performance.now() - began);
  await page.waitForTimeout(1000); // the first check has ended, as it has when a person types
  await page.locator(".cm-content").press("ControlOrMeta+End");
  await page.evaluate(() => {
    performance.clearMeasures();
    globalThis.keys.length = 0;
  });
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press("x");
    await page.waitForTimeout(150);
  }
  answers.push(...(await page.evaluate(() => performance.getEntriesByName("mcplumb").map((entry) => entry.duration))));
  // An event that takes less than 16 ms is not reported.
  const slow = await page.evaluate(() => globalThis.keys);
  keys.push(...slow, ...Array(Math.max(0, 40 - slow.length)).fill(8));
  await context.close();
}
print("from the address to the first findings", loads);
print("a check in the worker", answers);
print("from a key to what it draws", keys);
await browser.close();
server.close();
