// The site of several versions, as scripts/versions assembles them from the tags of a repository. Its
// scripts/site is a double that records its arguments.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";

const own = new URL("../../", import.meta.url).pathname;

// The double has a page for each rule of its tree.
const site = `#!/usr/bin/env bash
set -euo pipefail
out=$1 && shift
cd "$(dirname "$0")/.."
mkdir -p "$out/playground"
echo "$*" | sed 's,--playground .*,--playground,; s,--versions [^ ]*,--versions,' >"$out/asked"
for rule in docs/rules/*.md; do
  mkdir -p "$out/rules/$(basename "$rule" .md)"
  cp "$rule" "$out/rules/$(basename "$rule" .md)/index.html"
done
touch "$out/index.html" "$out/playground/index.html"
`;

function repository() {
  const directory = mkdtempSync(join(tmpdir(), "versions-"));
  const git = (...args) => execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: directory, stdio: "pipe" });
  const put = (path, text) => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  };
  git("init", "-q", "-b", "main");
  put("scripts/site", site);
  chmodSync(join(directory, "scripts/site"), 0o755);
  for (const path of ["scripts/versions", "site/moved.mjs"]) {
    put(path, "");
    copyFileSync(join(own, path), join(directory, path));
  }
  chmodSync(join(directory, "scripts/versions"), 0o755);
  const commit = (tag) => {
    git("add", "-A");
    git("commit", "-q", "--allow-empty", "-m", "x");
    if (tag) git("tag", tag);
  };
  const out = join(directory, "out");
  const build = () => execFileSync(join(directory, "scripts/versions"), [out], { cwd: directory, stdio: "pipe", encoding: "utf8" });
  const read = (path) => readFileSync(join(out, path), "utf8");
  return { directory, put, commit, build, read, out, remove: () => rmSync(directory, { recursive: true }) };
}

test("the newest release is at the top, and each version below its name", () => {
  const r = repository();
  try {
    r.put("docs/rules/alias-drift.md", "one");
    r.put("docs/rules/old-rule.md", "old");
    r.commit("v0.1.0");
    r.commit("v0.1.1");
    rmSync(join(r.directory, "docs/rules/old-rule.md"));
    r.put("docs/rules/alias-drift.md", "two");
    r.commit("v0.10.0");
    r.commit("v0.11.0-rc.1");
    r.put("docs/rules/alias-drift.md", "main");
    r.commit();
    assert.throws(r.build, ({ stderr }) => /docs\/rules\/old-rule\.md is gone, and mcplumb v0\.1\.1 prints its address/.test(stderr));
    assert.ok(!existsSync(r.out), "nothing was built");

    r.put("docs/rules/old-rule.md", "It is part of alias-drift now.");
    r.commit();
    r.build();
    assert.equal(r.read("asked"), "--version v0.10.0 --base /mcplumb/ --versions\n");
    assert.equal(r.read("v0.10/asked"), "--version v0.10.0 --base /mcplumb/v0.10/ --versions --playground\n");
    assert.equal(r.read("v0.1/asked"), "--version v0.1.1 --base /mcplumb/v0.1/ --versions\n");
    assert.equal(r.read("main/asked"), "--version main --base /mcplumb/main/ --versions\n");
    assert.ok(!existsSync(join(r.out, "v0.11")), "a pre-release has no site");
    assert.deepEqual(["", "v0.10/", "v0.1/", "main/"].map((at) => r.read(`${at}rules/alias-drift/index.html`)), ["two", "two", "one", "main"]);
    assert.match(r.read("rules/old-rule/index.html"), /url=\/mcplumb\/v0\.1\/rules\/old-rule\/"/, "the address of a rule that was leads to its page");
    assert.equal(execFileSync("git", ["worktree", "list"], { cwd: r.directory, encoding: "utf8" }).trim().split("\n").length, 1);
  } finally {
    r.remove();
  }
});

test("without a release the main branch is at the top", () => {
  const r = repository();
  try {
    r.put("docs/rules/alias-drift.md", "main");
    r.commit();
    r.build();
    assert.equal(r.read("asked"), "--version main --base /mcplumb/ --versions\n");
    assert.equal(r.read("main/asked"), "--version main --base /mcplumb/main/ --versions --playground\n");
  } finally {
    r.remove();
  }
});
