// What the browser's mcplumb answers is what the program prints, of every fixture of every rule.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
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

// filesIn returns the files of a repository.
const filesIn = (directory) =>
  Object.fromEntries(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
      .filter((path) => !path.startsWith(".git/"))
      .map((path) => [path, readFileSync(join(directory, path), "utf8")]),
  );

// within has a function use the files as a repository, whose base is the tag "base".
async function within({ files, base }, use) {
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
    return await use(cwd);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

// runs is the program, started once for all fixtures. It answers each run in turn.
const runs = spawn(process.env.RUNS, { stdio: ["pipe", "pipe", "inherit"] });
const waiting = [];
createInterface(runs.stdout).on("line", (line) => waiting.shift().resolve(JSON.parse(line)));
runs.on("exit", () => waiting.splice(0).forEach(({ reject }) => reject(new Error("the program has ended"))));
after(() => runs.stdin.end());

// ran returns what the program prints in a directory, with any exit code.
const ran = (dir, ...args) =>
  new Promise((resolve, reject) => {
    waiting.push({ resolve, reject });
    runs.stdin.write(`${JSON.stringify({ dir, args })}\n`);
  });

// printed returns what check and list print. On request it holds that the program prints the same
// when it has run nothing before.
const printed = (repository, isFresh) =>
  within(repository, async (cwd) => {
    const json = async (...args) => {
      const { stdout } = await ran(cwd, ...args);
      if (isFresh) assert.equal(stdout, (await run(process.env.MCPLUMB, args, { cwd }).catch((failed) => failed)).stdout);
      return JSON.parse(stdout);
    };
    const report = await json("check", "--format", "json", ...(repository.base ? ["--base", "base"] : []));
    return { report, list: await json("list", "--format", "json") };
  });

// written returns which files the program changes, and how they are then.
const written = ({ files }, ...args) =>
  within({ files }, async (cwd) => {
    const { stderr } = await ran(cwd, ...args);
    const changed = Object.entries(filesIn(cwd)).filter(([path, text]) => files[path] !== text);
    return { changed: Object.fromEntries(changed), stderr };
  });

// everyFixture hands the files of every fixture to a function, several at once, and
// checks that it never throws.
async function everyFixture(use) {
  const paths = readdirSync(fixtures, { recursive: true }).filter((name) => name.endsWith(".txtar"));
  assert.ok(paths.length > 500, "fixtures are missing");
  const differ = [];
  const one = async () => {
    for (let path = paths.pop(); path; path = paths.pop()) {
      try {
        await use(parted(filesOf(readFileSync(join(fixtures, path), "utf8"))), path, paths.length);
      } catch (error) {
        differ.push(`${path}: ${error.message}`);
      }
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, one));
  assert.deepEqual(differ, []);
}

const ask = await load(`${process.env.SITE}/mcplumb/playground`);

test("the browser finds and lists what the program does", async () => {
  const tried = new Set();
  await everyFixture(async (repository, path) => {
    const isFirst = !tried.has(dirname(path)); // starting a program is slow: one of each rule is enough
    tried.add(dirname(path));
    assert.deepEqual(ask({ do: "check", ...repository }), await printed(repository, isFirst));
  });
});

test("the browser fixes files as the program does", async () => {
  let count = 0;
  const tried = new Set();
  await everyFixture(async ({ files }, path) => {
    for (const unsafe of [false, true]) {
      const { changed = {} } = ask({ do: "fix", files, unsafe });
      const isFirst = !tried.has(dirname(path) + unsafe); // where nothing changes, one of each rule is enough
      tried.add(dirname(path) + unsafe);
      if (Object.keys(changed).length === 0 && !isFirst) continue;
      const want = await written({ files }, "check", unsafe ? "--fix=unsafe" : "--fix");
      assert.deepEqual(changed, want.changed);
      count += Object.keys(changed).length;
    }
  });
  assert.ok(count > 300, `${count} files`);
});

test("the browser writes for another client what the program does", async () => {
  const { clients } = ask({ do: "about" }).about;
  let count = 0;
  await everyFixture(async ({ files }, path, number) => {
    const from = ask({ do: "check", files }).list?.servers[0]?.path;
    if (!from) return;
    const to = clients[number % clients.length].id;
    const { changed = {}, error } = ask({ do: "sync", files, from, to });
    const want = await written({ files }, "sync", "--from", from, "--to", to);
    assert.deepEqual(changed, want.changed, to);
    assert.ok(!error || want.stderr.includes(error), `${error} / ${want.stderr}`);
    count += Object.keys(changed).length;
  });
  assert.ok(count > 300, `${count} files`);
});
