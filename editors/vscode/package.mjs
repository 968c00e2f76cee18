// Packs the extension with the program inside, once for each platform that has a program.
//   npm run package:programs -- PROGRAMS OUT
// PROGRAMS contains the programs as scripts/build and scripts/unpack write them:
// linux_amd64/mcplumb, …; OUT gets mcplumb-linux-x64.vsix, …
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

// The targets of VS Code that run a program: those for Linux are static, so Alpine also runs them.
const targets = {
  darwin_amd64: ['darwin-x64'],
  darwin_arm64: ['darwin-arm64'],
  linux_amd64: ['linux-x64', 'alpine-x64'],
  linux_arm64: ['linux-arm64', 'alpine-arm64'],
  windows_amd64: ['win32-x64'],
  windows_arm64: ['win32-arm64'],
};

const [programs, out] = process.argv.slice(2).map(directory => path.resolve(directory));
if (!out) {
  console.error('usage: npm run package:programs -- PROGRAMS OUT');
  process.exit(2);
}
const here = import.meta.dirname;
const bin = path.join(here, 'bin');
fs.mkdirSync(out, { recursive: true });
const found = Object.keys(targets).filter(platform => fs.existsSync(path.join(programs, platform)));
if (found.length === 0) throw new Error(`${programs} has no programs`);
try {
  for (const platform of found) {
    const name = platform.startsWith('windows') ? 'mcplumb.exe' : 'mcplumb';
    fs.rmSync(bin, { recursive: true, force: true });
    fs.mkdirSync(bin);
    fs.copyFileSync(path.join(programs, platform, name), path.join(bin, name));
    fs.chmodSync(path.join(bin, name), 0o755);
    for (const target of targets[platform]) {
      const file = path.join(out, `mcplumb-${target}.vsix`);
      const vsce = path.join(here, 'node_modules', '@vscode', 'vsce', 'vsce');
      execFileSync(process.execPath, [vsce, 'package', '--no-dependencies', '--target', target, '--out', file], { cwd: here, stdio: 'inherit' });
    }
  }
} finally {
  fs.rmSync(bin, { recursive: true, force: true }); // the package for every platform has no program
}
