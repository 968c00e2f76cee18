// The bundle of a .vsix against a double of VS Code, with the real server. One with a bundled
// program starts that, so that finding a program on the PATH is tested without it.
//   EXTENSION=DIRECTORY SERVER=PROGRAM node --test test/extension.test.mjs
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

const require = createRequire(import.meta.url);
const vscode = require('./vscode.cjs');
const { EXTENSION, SERVER } = process.env;
const manifest = JSON.parse(fs.readFileSync(path.join(EXTENSION, 'package.json'), 'utf8'));
const bundle = path.join(EXTENSION, manifest.main);
const PATH = process.env.PATH;
const bundled = path.join(EXTENSION, 'bin', 'mcplumb');
const hasProgram = fs.existsSync(bundled);
const onPath = { skip: hasProgram && 'the bundled program is started' };

let work, starts, extension;
beforeEach(() => {
  work = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'vscode-')));
  starts = path.join(work, 'starts');
  fs.mkdirSync(path.join(work, 'folder'));
  extension = undefined;
});
afterEach(async () => {
  await extension?.deactivate();
  process.chdir(os.tmpdir());
  process.env.PATH = PATH;
  fs.rmSync(work, { recursive: true });
});

// put makes a program that records how it was started, and then acts as the server.
function put(...to) {
  const file = path.join(work, ...to);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `#!/bin/sh\n[ "$1" = --version ] || printf '%s|%s|%s|%s\\n' "$0" "$*" "$PWD" "$PATH" >>'${starts}'\nexec '${SERVER}' "$@"\n`, { mode: 0o755 });
  return file;
}
const started = () => fs.existsSync(starts) ? fs.readFileSync(starts, 'utf8').trim().split('\n').map(line => line.split('|')) : [];

async function activate(settings = {}, answer, folders = [path.join(work, 'folder')]) {
  const double = vscode(folders, settings, answer);
  extension = vscode.load(bundle, double.api);
  await extension.activate({ subscriptions: [], extensionPath: EXTENSION });
  return double;
}
async function until(what, holds) {
  for (let n = 0; n < 400; n++) {
    if (await holds()) return;
    await sleep(50);
  }
  assert.fail(`not so after 20 s: ${what}`);
}

test('the program on the PATH is started, outside the workspace', onPath, async () => {
  const program = put('bin', 'mcplumb');
  process.env.PATH = `${work}/bin:/usr/bin:/bin`;
  const { seen } = await activate();
  assert.deepEqual(started(), [[program, 'lsp', `${work}/bin`, `${work}/bin:/usr/bin:/bin`]]);
  assert.deepEqual(seen.messages, []);
  for (const name of ['CodeActions', 'Hover', 'CompletionItem', 'Rename', 'DocumentLink']) assert(seen.providers.has(`register${name}Provider`), name);
});

test('the bundled program is started, regardless of the PATH and the workspace', { skip: !hasProgram && 'no bundled program' }, async () => {
  put('bin', 'mcplumb');
  process.env.PATH = `${work}/bin:/usr/bin:/bin`;
  const { seen } = await activate({ workspace: { path: put('folder', 'evil') } });
  assert.deepEqual(started(), []);
  assert.deepEqual(seen.messages, []);
  assert(seen.log.some(line => line.endsWith(`: ${bundled} lsp`)), seen.log.join('\n'));
  assert(seen.providers.has('registerCompletionItemProvider'));
});

test('a user names the program, and allows the network', async () => {
  const program = put('own', 'mcplumb-1.2');
  put('bin', 'mcplumb');
  process.env.PATH = `${work}/bin:/usr/bin:/bin`;
  await activate({ user: { path: program, online: true } });
  assert.deepEqual(started().map(s => s.slice(0, 2)), [[program, 'lsp --online']]);
});

test('a workspace can name no program, and allow no network', onPath, async () => {
  const program = put('bin', 'mcplumb');
  process.env.PATH = `${work}/bin:/usr/bin:/bin`;
  await activate({ workspace: { path: put('folder', 'evil'), online: true } });
  assert.deepEqual(started().map(s => s.slice(0, 2)), [[program, 'lsp']]);
});

test('no program of a workspace is found', onPath, async () => {
  const folder = path.join(work, 'folder');
  put('folder', 'mcplumb');
  put('folder', 'bin', 'mcplumb');
  put('folder', 'node_modules', '.bin', 'mcplumb');
  put('node_modules', '.bin', 'mcplumb'); // of the repository that the folder is in
  fs.symlinkSync(folder, path.join(work, 'link'));
  fs.mkdirSync(path.join(work, 'linked'));
  fs.symlinkSync(path.join(folder, 'mcplumb'), path.join(work, 'linked', 'mcplumb'));
  put('folder', '..bin', 'mcplumb');
  put('current', 'mcplumb');
  put('current', 'bin', 'mcplumb');
  process.chdir(path.join(work, 'current'));
  process.env.PATH = ['', '.', 'bin', folder, `${folder}/bin`, `${folder}/..bin`, `${folder}/node_modules/.bin`, `${work}/node_modules/.bin`, `${work}/link`, `${work}/bin/../folder`, `${work}/linked`].join(':');
  const { seen } = await activate({}, 'How to install');
  assert.equal(seen.messages.length, 1);
  assert.match(seen.messages[0], /^mcplumb is not installed: /);
  // The rest of the PATH has no such program either.
  const program = put('safe', 'mcplumb');
  process.env.PATH += `:${work}/safe:/usr/bin:/bin`;
  await seen.commands.get('mcplumb.restart')();
  assert.deepEqual(started(), [[program, 'lsp', `${work}/safe`, `${work}/linked:${work}/safe:/usr/bin:/bin`]]);
});

test('a neighbor whose name begins like the folder is not in it, and a file that may not run is no program', onPath, async () => {
  const program = put('folder-2', '..bin', 'mcplumb');
  fs.chmodSync(put('plain', 'mcplumb'), 0o644);
  process.env.PATH = `${work}/plain:${path.dirname(program)}:/usr/bin:/bin`;
  await activate();
  assert.deepEqual(started().map(s => s[0]), [program]);
});

test('without a program a message leads to the installation', onPath, async () => {
  process.env.PATH = '/nowhere';
  const { seen } = await activate({}, 'How to install');
  await until('a page', () => seen.opened.length > 0);
  assert.deepEqual(seen.opened, ['https://github.com/mcplumb/mcplumb/blob/main/docs/usage.md#install']);
});

test('a path that is not of mcplumb, or is relative, is reported and starts nothing', async () => {
  put('bin', 'mcplumb');
  put('folder', 'mcplumb');
  const empty = path.join(work, 'empty');
  fs.writeFileSync(empty, 'no program\n', { mode: 0o755 });
  process.env.PATH = `${work}/bin:/usr/bin:/bin`;
  process.chdir(path.join(work, 'folder'));
  for (const named of [path.join(work, 'nothing'), work, './mcplumb', 'mcplumb', '/bin/true', '/bin/false', '/bin/cat', empty]) {
    const { seen } = await activate({ user: { path: named } }, 'Open settings');
    await until('the settings', () => seen.opened.length > 0);
    assert.deepEqual(seen.messages, [`mcplumb.path names ${named}, which is not the absolute path of mcplumb.`]);
    assert.deepEqual(seen.opened, ['workbench.action.openSettings mcplumb.path']);
    await extension.deactivate();
  }
  assert.deepEqual(started(), []);
});

test('restarts queue up, and a changed setting restarts', onPath, async () => {
  put('bin', 'mcplumb');
  process.env.PATH = `${work}/bin:/usr/bin:/bin`;
  const settings = { user: {} };
  const { seen, fire } = await activate(settings);
  assert.deepEqual([...seen.commands.keys()].sort(), manifest.contributes.commands.map(c => c.command).sort());
  await Promise.all([1, 2, 3].map(() => seen.commands.get('mcplumb.restart')()));
  assert.equal(started().length, 4);
  settings.user.online = true;
  fire('onDidChangeConfiguration', { affectsConfiguration: name => name === 'mcplumb.online' });
  await until('a restart', () => started().length === 5);
  assert.equal(started()[4][1], 'lsp --online');
  seen.commands.get('mcplumb.showOutput')();
  assert.equal(seen.shown, 1);
  await extension.deactivate();
  assert.equal(seen.providers.size, 0);
});

test('a server that does not start leaves the next one be', async () => {
  const program = put('own', 'mcplumb');
  const broken = path.join(work, 'broken');
  fs.writeFileSync(broken, '#!/bin/sh\n[ "$1" != --version ] || exec echo mcplumb 0.0.0\n', { mode: 0o755 });
  const settings = { user: { path: broken } };
  const { seen } = await activate(settings);
  assert.match(seen.messages.join(), /couldn't create connection|closed|failed/);
  settings.user.path = program;
  await seen.commands.get('mcplumb.restart')();
  assert.deepEqual(started().map(s => s[0]), [program]);
  assert(seen.providers.size > 0);
});

// codes returns the rules whose findings a file shows.
const codes = (seen, uri) => (seen.diagnostics.get(String(uri)) ?? []).map(d => d.code.value);

test('the problems of a workspace come, and of a file as it is written', async () => {
  put('bin', 'mcplumb');
  process.env.PATH = `${work}/bin:/usr/bin:/bin`;
  const folder = path.join(work, 'folder');
  const text = '{"mcpServers": {"docs": {"command": "npx", "args": ["-y", "@acme/docs"]}}}\n';
  fs.writeFileSync(path.join(folder, '.mcp.json'), text);
  const settings = {};
  const { api, seen, fire } = await activate(settings);
  const uri = api.Uri.file(path.join(folder, '.mcp.json'));
  await until('a problem of a file that is closed', () => codes(seen, uri).includes('unpinned-package'));
  const [found] = seen.diagnostics.get(String(uri));
  assert.equal(found.severity, api.DiagnosticSeverity.Hint);
  assert.equal(text.slice(found.range.start.character, found.range.end.character), '"@acme/docs"');

  const document = { uri, languageId: 'json', version: 1, getText: () => text.replace('}}}', '}},}'), isClosed: false };
  api.workspace.textDocuments.push(document);
  fire('onDidOpenTextDocument', document);
  await until('a problem of the text that is open', () => codes(seen, uri).includes('strict-json'));
  assert(codes(seen, uri).includes('unpinned-package'));

  settings.workspace = { severity: 'warning' };
  fire('onDidChangeConfiguration', { affectsConfiguration: name => name === 'mcplumb' || name === 'mcplumb.severity' });
  await until('no notes', () => !codes(seen, uri).includes('unpinned-package'));
  assert(codes(seen, uri).includes('strict-json'));
  assert.equal(started().length, hasProgram ? 0 : 1);
});

// VS Code enforces the trust of a workspace and the scopes: the manifest must request them.
test('the manifest keeps programs and the network from a workspace', () => {
  const { 'mcplumb.path': named, 'mcplumb.online': online } = manifest.contributes.configuration.properties;
  assert.equal(named.scope, 'machine');
  assert.equal(online.scope, 'machine');
  assert.equal(online.default, false);
  // Nothing in a workspace runs, and its settings name no program, so an untrusted one is as safe.
  assert.deepEqual(manifest.capabilities.untrustedWorkspaces, { supported: true });
  assert.equal(manifest.capabilities.virtualWorkspaces, false);
});
