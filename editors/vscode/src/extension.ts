import { execFile } from 'node:child_process';
import * as path from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { LanguageClient, type DocumentFilter } from 'vscode-languageclient/node';
import { bundled, find, isProgram, searchable } from './program';

const installing = 'https://github.com/mcplumb/mcplumb/blob/main/docs/usage.md#install';

// The extensions of the formats' files, or their names if they have no extension. The server decides
// which of them it reads: a list of the paths that clients read would be long here, and soon outdated.
const patterns = [
  ...['code-workspace', 'json', 'jsonc', 'lock', 'md', 'nix', 'toml', 'yaml', 'yml'].flatMap(end => [`**/*.${end}`, `**/*.${end}.*`]),
  ...['.crushrc', '.gitmodules', '.mcprc', 'crushrc'].map(name => `**/${name}`),
];

let client: LanguageClient | undefined;
let extension: string; // where it is installed
let output: vscode.LogOutputChannel;
// One after the other, or a second restart would leave the server of the first one running.
let queue: Promise<void> = Promise.resolve();

export function activate(context: vscode.ExtensionContext): Promise<void> {
  output = vscode.window.createOutputChannel('mcplumb', { log: true });
  extension = context.extensionPath;
  context.subscriptions.push(
    output,
    vscode.commands.registerCommand('mcplumb.restart', () => then(restart)),
    vscode.commands.registerCommand('mcplumb.showOutput', () => output.show()),
    vscode.workspace.onDidChangeConfiguration(change => {
      if (change.affectsConfiguration('mcplumb.path') || change.affectsConfiguration('mcplumb.online')) void then(restart);
    }),
  );
  return then(start);
}

export function deactivate(): Promise<void> {
  return then(stop);
}

function then(step: () => Promise<void>): Promise<void> {
  queue = queue.then(step).catch(error => output.error(error));
  return queue;
}

async function restart(): Promise<void> {
  await stop();
  await start();
}

async function stop(): Promise<void> {
  const last = client;
  client = undefined;
  // It throws if the start failed; then nothing runs.
  await last?.dispose().catch(error => output.warn(error));
}

/** setting returns what the user has set. It ignores the settings of a workspace. */
function setting<T>(name: string): T | undefined {
  return vscode.workspace.getConfiguration('mcplumb').inspect<T>(name)?.globalValue;
}

interface Program {
  file: string;
  version: string;
  /** Its current directory and PATH are outside the workspace, so the programs that it starts are also outside. */
  options: { cwd: string; env: NodeJS.ProcessEnv };
}

/** program returns what to start; undefined if mcplumb is not found. */
async function program(): Promise<Program | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(f => f.uri.scheme === 'file').map(f => f.uri.fsPath);
  const directories = searchable(process.env.PATH ?? '', folders);
  const file = setting<string>('path') || bundled(extension) || find(directories, folders);
  if (!file || !isProgram(file)) return undefined;
  const options = { cwd: path.dirname(file), env: { ...process.env, PATH: directories.join(path.delimiter) } };
  try {
    // With another program the client would wait forever for its first answer.
    const { stdout } = await promisify(execFile)(file, ['--version'], { ...options, timeout: 10_000 });
    return stdout.startsWith('mcplumb ') ? { file, version: stdout.trim(), options } : undefined;
  } catch (error) {
    output.error(error as Error);
    return undefined;
  }
}

async function start(): Promise<void> {
  const found = await program();
  if (!found) {
    void missing();
    return;
  }
  const args = setting<boolean>('online') === true ? ['lsp', '--online'] : ['lsp'];
  output.info(`${found.version}: ${found.file} ${args.join(' ')}`);
  client = new LanguageClient('mcplumb', 'mcplumb', { command: found.file, args, options: found.options }, {
    documentSelector: patterns.map((pattern): DocumentFilter => ({ scheme: 'file', pattern })),
    synchronize: { configurationSection: 'mcplumb' },
    outputChannel: output,
  });
  await client.start();
}

async function missing(): Promise<void> {
  const named = setting<string>('path');
  const text = named
    ? `mcplumb.path names ${named}, which is not the absolute path of mcplumb.`
    : 'mcplumb is not installed: your PATH has no such program outside the workspace.';
  const install = 'How to install';
  const settings = 'Open settings';
  switch (await vscode.window.showErrorMessage(text, install, settings)) {
    case install:
      await vscode.env.openExternal(vscode.Uri.parse(installing));
      break;
    case settings:
      await vscode.commands.executeCommand('workbench.action.openSettings', 'mcplumb.path');
  }
}
