// Prints the servers that a client's own code reads from a file, as JSON:
//   node read.mjs CLIENT FILE
// For Gemini CLI and Qwen Code, the file is that of the working directory.
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const packages = path.join(path.dirname(fileURLToPath(import.meta.url)), 'node_modules')

// load imports a file of a package, even one that the package does not export.
const load = (...segments) => import(pathToFileURL(path.join(packages, ...segments)))

// settings calls loadSettings of a program that is bundled into files with names that
// change with every release.
async function settings(...directory) {
  for (const name of fs.readdirSync(path.join(packages, ...directory))) {
    if (!name.endsWith('.js')) continue
    const source = fs.readFileSync(path.join(packages, ...directory, name), 'utf8')
    if (!source.includes('function loadSettings(')) continue
    const { loadSettings } = await load(...directory, name)
    if (!loadSettings) continue
    const loaded = loadSettings(process.cwd())
    if (loaded.errors?.length) throw new Error(JSON.stringify(loaded.errors))
    return loaded.merged.mcpServers
  }
  throw new Error(`no file of ${directory.join('/')} exports loadSettings`)
}

// checked returns the result of a zod parser, or fails with its errors.
function checked(result) {
  if (!result.success) throw new Error(JSON.stringify(result.error.issues))
  return result.data
}

const readers = {
  async continue(text) {
    const { parseConfigYaml } = await import('@continuedev/config-yaml')
    return Object.fromEntries(parseConfigYaml(text).mcpServers.map(({ name, ...server }) => [name, server]))
  },
  'gemini-cli': () => settings('@google', 'gemini-cli', 'bundle'),
  async librechat(text) {
    const { configSchema } = await import('librechat-data-provider')
    const { parse } = await import('yaml')
    return checked(configSchema.safeParse(parse(text))).mcpServers
  },
  qwen: () => settings('@qwen-code', 'qwen-code', 'chunks'),
  async vscode(text) {
    const { parse } = await import('jsonc-parser')
    const { default: Ajv } = await import('ajv')
    const { mcpServerSchema: { id, ...schema } } = await load(
      '@codingame', 'monaco-vscode-api', 'vscode', 'src', 'vs', 'workbench', 'contrib', 'mcp', 'common', 'mcpConfiguration.js')
    const file = parse(text)
    const ajv = new Ajv({ strict: false, validateFormats: false })
    if (!ajv.validate(schema, file)) throw new Error(ajv.errorsText())
    return file.servers
  },
}

const [client, file] = process.argv.slice(2)
// Some imports keep the program running, so this waits for the write.
fs.writeSync(1, JSON.stringify(await readers[client](fs.readFileSync(file, 'utf8'))))
process.exit(0)
