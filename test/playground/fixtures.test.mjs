// What the browser's mcplumb answers is what the program prints, of every fixture of every rule.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { load } from "./wasm.mjs";

const fixtures = new URL("../../testdata/checks/", import.meta.url).pathname;
const run = promisify(execFile);

// filesOf returns the files of a txtar that are linted: what is expected of them is not.
function filesOf(text) {
  const parts = text.split(/^-- (.+) --\n/m).slice(1);
  const files = {};
  for (let i = 0; i < parts.length; i += 2) files[parts[i]] = parts[i + 1];
  for (const name of Object.keys(files)) if (/^(want|fixes|fixed\/.*)$/.test(name)) delete files[name];
  return files;
}

// parted returns the files, and those below base/, undefined for none.
function parted(all) {
  const files = {}, base = {};
  for (const [name, text] of Object.entries(all)) {
    if (name.startsWith("base/")) base[name.slice(5)] = text;
    else files[name] = text;
  }
  return { files, base: Object.keys(base).length > 0 ? base : undefined };
}

function write(directory, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
}

// begin makes a directory a repository without a process: there are hundreds.
function begin(directory) {
  mkdirSync(join(directory, ".git/refs"), { recursive: true });
  mkdirSync(join(directory, ".git/objects"));
  writeFileSync(join(directory, ".git/HEAD"), "ref: refs/heads/main\n");
}

const git = (cwd, ...args) => run("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd });

// printed returns what check prints, and what list does where that is asked for.
async function printed({ files, base }, isListed) {
  const cwd = mkdtempSync(join(tmpdir(), "fixture-"));
  try {
    begin(cwd);
    if (base) {
      write(cwd, base);
      await git(cwd, "add", "-A", "-f");
      await git(cwd, "commit", "-q", "-m", "base");
      await git(cwd, "tag", "base");
      for (const name of readdirSync(cwd)) if (name !== ".git") rmSync(join(cwd, name), { recursive: true });
    }
    write(cwd, files);
    const json = async (...args) => {
      const { stdout } = await run(process.env.MCPLUMB, args, { cwd, maxBuffer: 1 << 28 }).catch((failed) => failed);
      return JSON.parse(stdout);
    };
    const compared = base ? ["--base", "base"] : [];
    const report = await json("check", "--format", "json", ...compared);
    return isListed ? { report, list: await json("list", "--format", "json") } : { report };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

test("the browser's answers are those of the program", async (t) => {
  const ask = await load(`${process.env.SITE}/mcplumb/playground`);
  const paths = readdirSync(fixtures, { recursive: true }).filter((name) => name.endsWith(".txtar"));
  assert.ok(paths.length > 500, "fixtures are missing");
  const differ = [], listed = new Set();
  const one = async () => {
    for (let path = paths.pop(); path; path = paths.pop()) {
      const repository = parted(filesOf(readFileSync(join(fixtures, path), "utf8")));
      const isListed = !listed.has(dirname(path)); // one of each rule: a process takes its time
      listed.add(dirname(path));
      const want = await printed(repository, isListed);
      const got = ask({ do: "check", ...repository });
      if (!isListed) delete got.list;
      for (const report of [want.report, got.report]) delete report.tool;
      try {
        assert.deepEqual(got, want);
      } catch (error) {
        differ.push(`${path}: ${error.message}`);
      }
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, one));
  assert.deepEqual(differ, []);
});
