// Rewrites files as Renovate would in a branch: its platform "local" looks updates up
// and writes none. Takes the updates that Renovate has logged ("packageFiles with
// updates") from standard input; the working directory is the repository.
import { readFile, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { GlobalConfig } from "renovate/dist/config/global.js";
import { doAutoReplace } from "renovate/dist/workers/repository/update/branch/auto-replace.js";

GlobalConfig.set({ localDir: process.cwd() });
for (const file of JSON.parse(await text(process.stdin)).regex) {
  for (const [depIndex, dep] of file.deps.entries()) {
    for (const update of dep.updates ?? []) {
      const content = await readFile(file.packageFile, "utf8");
      const upgrade = { ...file, ...dep, ...update, manager: "regex", depIndex };
      await writeFile(file.packageFile, await doAutoReplace(upgrade, content, false));
    }
  }
}
