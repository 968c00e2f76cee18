// A scripted client on the library of the protocol's authors: it asks for everything that the
// server offers, checks every answer against the types of the protocol, and applies edits as an
// editor does. Usage: node client.mjs PROGRAM ROOT utf-8|utf-16
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as lsp from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';

const [program, root, encoding] = process.argv.slice(2);
const server = spawn(program, ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'], cwd: root });
const c = lsp.createProtocolConnection(new lsp.StreamMessageReader(server.stdout), new lsp.StreamMessageWriter(server.stdin), console);
const published = new Map();
const waiting = [];
let watchers = [];
c.onRequest(lsp.ConfigurationRequest.type, p => p.items.map(() => ({})));
c.onRequest(lsp.RegistrationRequest.type, p => { watchers = p.registrations.flatMap(r => r.registerOptions.watchers); });
c.onRequest(lsp.WorkDoneProgressCreateRequest.type, () => {});
c.onNotification(lsp.PublishDiagnosticsNotification.type, p => {
  for (const d of p.diagnostics) assert(lsp.Diagnostic.is(d), JSON.stringify(d));
  published.set(p.uri, p);
  waiting.splice(0).forEach(f => f());
});
c.listen();

const rootUri = pathToFileURL(root).href;
const uriOf = name => pathToFileURL(path.join(root, name)).href;
const init = await c.sendRequest(lsp.InitializeRequest.type, {
  processId: process.pid, rootUri, workspaceFolders: [{ uri: rootUri, name: 'x' }],
  capabilities: {
    general: { positionEncodings: encoding === 'utf-8' ? ['utf-8', 'utf-16'] : ['utf-16'] },
    window: { workDoneProgress: true },
    workspace: {
      configuration: true, workspaceFolders: true, didChangeWatchedFiles: { dynamicRegistration: true },
      workspaceEdit: { documentChanges: true, resourceOperations: ['create'], changeAnnotationSupport: {} },
    },
    textDocument: {
      codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } }, dataSupport: true, resolveSupport: { properties: ['edit'] } },
      publishDiagnostics: { versionSupport: true }, rename: { prepareSupport: true },
      documentSymbol: { hierarchicalDocumentSymbolSupport: true }, completion: { completionItem: { snippetSupport: true } },
    },
  },
});
assert.equal(init.capabilities.positionEncoding, encoding);
await c.sendNotification(lsp.InitializedNotification.type, {});

// The library's documents cannot count in utf-8, so then only ASCII text is examined.
const documents = new Map();
const doc = name => documents.get(uriOf(name));
const textAt = (name, range) => encoding === 'utf-8' ? undefined : doc(name).getText(range);
const open = async (name, text = fs.readFileSync(path.join(root, name), 'utf8'), languageId = 'json') => {
  const uri = uriOf(name);
  documents.set(uri, TextDocument.create(uri, languageId, 1, text));
  await c.sendNotification(lsp.DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId, version: 1, text } });
  return diagnosed(name);
};
const diagnosed = async name => {
  while (published.get(uriOf(name))?.version !== doc(name).version) await new Promise(f => waiting.push(f));
  return published.get(uriOf(name)).diagnostics;
};
const at = (name, text) => ({ textDocument: { uri: uriOf(name) }, position: doc(name).positionAt(doc(name).getText().indexOf(text) + 1) });

// applied makes an edit in what is open and on disk, as an editor does that then saves.
const applied = async edit => {
  assert(lsp.WorkspaceEdit.is(edit), JSON.stringify(edit));
  const changed = [];
  for (const change of edit.documentChanges) {
    if (change.kind === 'create') continue;
    assert(lsp.TextDocumentEdit.is(change), JSON.stringify(change));
    const { uri, version } = change.textDocument;
    const file = fileURLToPath(uri);
    const before = documents.get(uri) ?? TextDocument.create(uri, 'json', 0, fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '');
    assert.equal(version, documents.has(uri) ? before.version : null);
    const text = TextDocument.applyEdits(before, change.edits);
    fs.writeFileSync(file, text);
    changed.push(path.relative(root, file));
    if (!documents.has(uri)) continue;
    // As an editor says it: each edit by itself, the last of the text first.
    const contentChanges = change.edits.map(e => ({ range: e.range, text: e.newText })).sort((a, b) => before.offsetAt(b.range.start) - before.offsetAt(a.range.start));
    documents.set(uri, TextDocument.create(uri, 'json', before.version + 1, text));
    await c.sendNotification(lsp.DidChangeTextDocumentNotification.type, { textDocument: { uri, version: before.version + 1 }, contentChanges });
  }
  return changed.sort();
};

const found = await open('.mcp.json');
const comma = found.find(d => d.code === 'strict-json');
assert(comma, JSON.stringify(found));
if (encoding === 'utf-16') assert.equal(textAt('.mcp.json', comma.range), ',');
assert.match(comma.codeDescription.href, /rules\/strict-json\.md$/);

const actions = await c.sendRequest(lsp.CodeActionRequest.type, { textDocument: { uri: uriOf('.mcp.json') }, range: comma.range, context: { diagnostics: [comma] } });
for (const a of actions) assert(a.data || lsp.CodeAction.is(a), JSON.stringify(a));
const all = await c.sendRequest(lsp.CodeActionRequest.type, { textDocument: { uri: uriOf('.mcp.json') }, range: comma.range, context: { diagnostics: [], only: ['source.fixAll'] } });
assert.equal(all.length, 1);
const resolved = await c.sendRequest(lsp.CodeActionResolveRequest.type, all[0]);
assert(lsp.CodeAction.is(resolved));
assert.deepEqual(await applied(resolved.edit), ['.mcp.json']);
assert(!(await diagnosed('.mcp.json')).some(d => d.code === 'strict-json'));
assert.equal(JSON.parse(doc('.mcp.json').getText()).mcpServers.docs.command, 'npx');
const stale = await c.sendRequest(lsp.CodeActionResolveRequest.type, all[0]).catch(e => e);
assert.equal(stale.code, -32801, 'an action of an older text');

const hover = await c.sendRequest(lsp.HoverRequest.type, at('.mcp.json', '"docs"'));
assert(lsp.Hover.is(hover));
assert.match(hover.contents.value, /npm:@acme\/docs/);
await open('.claude/settings.json');
const places = await c.sendRequest(lsp.DefinitionRequest.type, at('.claude/settings.json', 'docs__'));
assert(places.length === 2 && places.every(lsp.Location.is), JSON.stringify(places));
const named = await c.sendRequest(lsp.ReferencesRequest.type, { ...at('.mcp.json', '"docs"'), context: { includeDeclaration: true } });
assert(named.length === 4 && named.every(lsp.Location.is), JSON.stringify(named));
const document = { textDocument: { uri: uriOf('.mcp.json') } };
const symbols = await c.sendRequest(lsp.DocumentSymbolRequest.type, document);
assert(symbols.length === 2 && symbols.every(lsp.DocumentSymbol.is));
const links = await c.sendRequest(lsp.DocumentLinkRequest.type, document);
assert(links.length === 2 && links.every(lsp.DocumentLink.is));
const lenses = await c.sendRequest(lsp.CodeLensRequest.type, document);
assert(lenses.length === 1 && lenses.every(lsp.CodeLens.is));
const hints = await c.sendRequest(lsp.InlayHintRequest.type, { ...document, range: { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } } });
assert(hints.every(lsp.InlayHint.is));
const offered = await c.sendRequest(lsp.CompletionRequest.type, at('.mcp.json', '{ "command": "npx", "args": ["-y", "@acme/docs'));
assert(offered.items.some(i => i.label === 'env'), JSON.stringify(offered));
for (const i of offered.items) assert(i.label && lsp.TextEdit.is(i.textEdit), JSON.stringify(i));

// chosen returns a new text, written up to |, in which what has a label is chosen there.
const chosen = async (name, languageId, text, label) => {
  await open(name, text.replace('|', ''), languageId);
  const position = doc(name).positionAt(text.indexOf('|'));
  const { items } = await c.sendRequest(lsp.CompletionRequest.type, { textDocument: { uri: uriOf(name) }, position });
  for (const i of items) assert(lsp.TextEdit.is(i.textEdit) && i.textEdit.range.start.line === position.line && i.textEdit.range.end.line === position.line, JSON.stringify(i));
  const item = items.find(i => i.label === label);
  assert(item, `${name}: ${items.map(i => i.label)}`);
  const now = TextDocument.applyEdits(doc(name), [item.textEdit]);
  await c.sendNotification(lsp.DidCloseTextDocumentNotification.type, { textDocument: { uri: uriOf(name) } });
  documents.delete(uriOf(name));
  return now;
};
assert.equal(await chosen('.codex/config.toml', 'toml', '[mcp_servers.x]\ncomm|', 'command'), '[mcp_servers.x]\ncommand = "$1"');
assert.match(await chosen('.codex/config.toml', 'toml', 'model = "x"\n[mcp_servers.do|]\n', 'docs'), /^model = "x"\n\[mcp_servers\.docs\]\ncommand = "npx"\nargs = \["-y", "@acme\/docs/);
assert.equal(await chosen('.goose/config.yaml', 'yaml', 'extensions:\n  x:\n    type: |\n', 'streamable_http'), 'extensions:\n  x:\n    type: streamable_http\n');
assert.match(await chosen('.goose/config.yaml', 'yaml', 'extensions:\n  |', 'docs'), /^extensions:\n  docs:\n    type: stdio\n    cmd: npx\n    args:\n      - "-y"\n      - "@acme\/docs/);

const prepared = await c.sendRequest(lsp.PrepareRenameRequest.type, at('.mcp.json', '"docs"'));
assert.equal(prepared.placeholder, 'docs');
const refused = await c.sendRequest(lsp.RenameRequest.type, { ...at('.mcp.json', '"docs"'), newName: '😀' }).catch(e => e);
assert.match(refused.message, /already uses the new name/);
const renamed = await c.sendRequest(lsp.RenameRequest.type, { ...at('.mcp.json', '"docs"'), newName: 'manual' });
assert.deepEqual(await applied(renamed), ['.claude/settings.json', '.cursor/mcp.json', '.mcp.json']);
await diagnosed('.mcp.json');

assert(watchers.some(w => w.globPattern === '**/.mcp.json') && watchers.some(w => w.globPattern === '**/package.json'));
for (const name of ['.mcp.json', '.claude/settings.json']) await c.sendNotification(lsp.DidCloseTextDocumentNotification.type, { textDocument: { uri: uriOf(name) } });
assert.equal(await c.sendRequest(lsp.ShutdownRequest.type), null);
const ended = once(server, 'exit');
await c.sendNotification(lsp.ExitNotification.type);
assert.equal((await ended)[0], 0);
console.log(`client (${encoding}): all answers are as the protocol has them`);
process.exit(0);
