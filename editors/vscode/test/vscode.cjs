// A double of the module "vscode", as far as the extension and the library of its client need it: all
// classes and enumerations of @types/vscode, and handwritten versions of what they call. It records
// what a user would see. A real VS Code is a download of 100 MB with a window.
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { pathToFileURL, fileURLToPath } = require('node:url');

const types = fs.readFileSync(require.resolve('@types/vscode/index.d.ts'), 'utf8');

class Disposable {
  constructor(dispose) { this.dispose = dispose ?? (() => {}); }
  static from(...all) { return new Disposable(() => all.forEach(d => d.dispose())); }
}
class EventEmitter {
  listeners = new Set();
  event = (listener, self) => {
    const bound = listener.bind(self);
    this.listeners.add(bound);
    return new Disposable(() => this.listeners.delete(bound));
  };
  fire(event) { for (const listener of [...this.listeners]) listener(event); }
  dispose() { this.listeners.clear(); }
}
class CancellationTokenSource {
  emitter = new EventEmitter();
  token = { isCancellationRequested: false, onCancellationRequested: this.emitter.event };
  cancel() { this.token.isCancellationRequested = true; this.emitter.fire(); }
  dispose() {}
}
class Uri {
  constructor(text) { this.text = text; this.scheme = text.slice(0, text.indexOf(':')); }
  static parse(text) { return new Uri(text); }
  static file(file) { return new Uri(pathToFileURL(file).href); }
  get fsPath() { return fileURLToPath(this.text); }
  get path() { return new URL(this.text).pathname; }
  toString() { return this.text; }
}
class Position {
  constructor(line, character) { Object.assign(this, { line, character }); }
}
class Range {
  constructor(...of) { [this.start, this.end] = of.length === 2 ? of : [new Position(of[0], of[1]), new Position(of[2], of[3])]; }
}
class Diagnostic {
  constructor(range, message, severity) { Object.assign(this, { range, message, severity }); }
}
class CodeActionKind {
  constructor(value) { this.value = value; }
  append(more) { return new CodeActionKind(this.value ? `${this.value}.${more}` : more); }
}
const kinds = { Empty: '', QuickFix: 'quickfix', Refactor: 'refactor', RefactorExtract: 'refactor.extract', RefactorInline: 'refactor.inline', RefactorMove: 'refactor.move', RefactorRewrite: 'refactor.rewrite', Source: 'source', SourceOrganizeImports: 'source.organizeImports', SourceFixAll: 'source.fixAll', Notebook: 'notebook' };
for (const [name, value] of Object.entries(kinds)) CodeActionKind[name] = new CodeActionKind(value);

// vscode returns the double and its records, for a workspace with these folders. Settings are
// { user: {…}, workspace: {…} }; answers decides which button is pressed in a message.
module.exports = function vscode(folders, settings, answer) {
  const seen = { messages: [], opened: [], commands: new Map(), providers: new Set(), diagnostics: new Map(), log: [], shown: 0 };
  const events = {};
  const event = name => (events[name] ??= new EventEmitter()).event;
  const channel = {
    ...Object.fromEntries(['trace', 'debug', 'info', 'warn', 'error', 'append', 'appendLine'].map(name => [name, text => seen.log.push(String(text?.stack ?? text))])),
    logLevel: 3, onDidChangeLogLevel: event('logLevel'), show: () => { seen.shown++; }, dispose() {},
  };
  const workspaceFolders = folders.map((folder, index) => ({ uri: Uri.file(folder), name: path.basename(folder), index }));
  const effective = () => ({ ...settings.user, ...settings.workspace });
  const configuration = section => ({
    inspect: name => ({ key: `${section}.${name}`, globalValue: settings.user?.[name], workspaceValue: settings.workspace?.[name] }),
    get: (name, otherwise) => (section === undefined ? { mcplumb: effective() }[name] : effective()[name]) ?? otherwise,
  });
  const message = async (text, ...buttons) => {
    seen.messages.push(text);
    return buttons.find(button => button === answer);
  };
  const api = {
    version: '1.91.0', Disposable, EventEmitter, CancellationTokenSource, Uri, Position, Range, Diagnostic, CodeActionKind,
    env: { appName: 'double', language: 'en', openExternal: async uri => { seen.opened.push(String(uri)); return true; } },
    extensions: { getExtension: () => undefined, all: [] },
    commands: {
      registerCommand(name, run) { seen.commands.set(name, run); return new Disposable(() => seen.commands.delete(name)); },
      executeCommand: async (...command) => { seen.opened.push(command.join(' ')); },
    },
    window: {
      activeTextEditor: undefined, visibleTextEditors: [], tabGroups: { all: [], onDidChangeTabs: event('tabs'), onDidChangeTabGroups: event('tabGroups') },
      createOutputChannel: () => channel, withProgress: async (_, task) => task({ report() {} }, new CancellationTokenSource().token),
      showErrorMessage: message, showWarningMessage: message, showInformationMessage: message,
    },
    workspace: {
      workspaceFolders, textDocuments: [], notebookDocuments: [], fs: {},
      getConfiguration: configuration, getWorkspaceFolder: () => workspaceFolders[0], asRelativePath: String,
      createFileSystemWatcher: () => ({ onDidCreate: event('create'), onDidChange: event('change'), onDidDelete: event('delete'), dispose() {} }),
    },
    languages: {
      createDiagnosticCollection: () => ({
        set: (uri, found) => seen.diagnostics.set(String(uri), found), delete: uri => seen.diagnostics.delete(String(uri)),
        has: uri => seen.diagnostics.has(String(uri)), clear: () => seen.diagnostics.clear(), dispose() {},
      }),
      match: (selector, document) => [selector].flat().some(filter => document.uri.scheme === filter.scheme && matches(filter.pattern, document.uri.fsPath)) ? 10 : 0,
    },
  };
  for (const place of [api.window, api.workspace]) {
    for (const [, name] of types.matchAll(/^\t\texport const (on\w+): Event</gm)) place[name] ??= event(name);
  }
  for (const [, name] of types.matchAll(/^\t\texport function (register\w+Provider)\(/gm)) {
    api.languages[name] ??= () => { seen.providers.add(name); return new Disposable(() => seen.providers.delete(name)); };
  }
  for (const [, name] of types.matchAll(/^\texport (?:abstract )?class (\w+)/gm)) api[name] ??= class { constructor(...parts) { this.parts = parts; } };
  for (const [, name, body] of types.matchAll(/^\texport enum (\w+) \{([^]*?)^\t\}/gm)) api[name] ??= enumeration(body);
  return { api, seen, fire: (name, what) => events[name].fire(what) };
};

// enumeration returns an object with both directions, as TypeScript makes it.
function enumeration(body) {
  const all = {};
  let next = 0;
  for (const [, name, value] of body.replace(/\/\*[^]*?\*\//g, '').matchAll(/(\w+)(?:\s*=\s*(-?\d+))?/g)) {
    next = value === undefined ? next : Number(value);
    all[all[name] = next++] = name;
  }
  return all;
}

// matches supports only the patterns of the extension: **/ and a name with *.
function matches(pattern, file) {
  const name = pattern.replace(/^\*\*\//, '');
  if (name === pattern || /[/?{[]/.test(name)) throw new Error(`the double cannot match ${pattern}`);
  return new RegExp(`^${name.split('*').map(part => part.replace(/[.+^$()|\\]/g, '\\$&')).join('.*')}$`).test(path.basename(file));
}

let current;
const load = Module._load;
Module._load = function (name, ...rest) { return name === 'vscode' ? current : load.call(this, name, ...rest); };

// load loads a bundle again, with the double as its "vscode".
module.exports.load = (bundle, api) => {
  current = api;
  delete require.cache[require.resolve(bundle)];
  return require(bundle);
};
