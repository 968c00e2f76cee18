// Prints what Gemini CLI or Qwen Code reads from the settings of the projects 0, 1, … of the
// directory that this runs in, as JSON:
//   CLIENTS=DIRECTORY node read.mjs CLIENT COUNT
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const directories = {
  'gemini-cli': ['@google', 'gemini-cli', 'bundle'],
  qwen: ['@qwen-code', 'qwen-code', 'chunks'],
}

// loader returns loadSettings of a program that is bundled into files with names that
// change with every release.
async function loader(directory) {
  for (const name of fs.readdirSync(directory)) {
    if (!name.endsWith('.js')) continue
    if (!fs.readFileSync(path.join(directory, name), 'utf8').includes('function loadSettings(')) continue
    const { loadSettings } = await import(pathToFileURL(path.join(directory, name)))
    if (loadSettings) return loadSettings
  }
  throw new Error(`no file of ${directory} exports loadSettings`)
}

const [client, count] = process.argv.slice(2)
const loadSettings = await loader(path.join(process.env.CLIENTS, 'node_modules', ...directories[client]))
const top = process.cwd()
const answers = []
for (let i = 0; i < Number(count); i++) {
  const root = path.join(top, String(i))
  process.chdir(root)
  try {
    const loaded = loadSettings(root)
    const grave = (loaded.errors ?? []).filter(error => error.severity !== 'warning')
    const servers = loaded.merged.mcpServers
    answers.push(grave.length ? { error: JSON.stringify(grave) } : { servers: servers && typeof servers === 'object' && !Array.isArray(servers) ? servers : {} })
  } catch (error) {
    answers.push({ error: String(error?.message ?? error) })
  }
}
// Some imports keep the program running, so this waits for the write.
const text = Buffer.from(JSON.stringify(answers))
for (let at = 0; at < text.length; ) at += fs.writeSync(1, text, at)
process.exit(0)
