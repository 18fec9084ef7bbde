import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createChildren } from './harness/children.ts'
import { budgets } from './structure/budgets.ts'
import { instrument } from './structure/instrument.ts'
import {
  countRooms,
  findHomonyms,
  findSpellings,
  measureFolders,
  readSources,
  type Source,
} from './structure/inventory.ts'
import { followRequests, type RequestPath } from './structure/requests.ts'

// How the sources of a checkout are cut, and how many of them one request runs through: see README.md.
const args = process.argv.slice(2)
const checkout = resolve(args.find((arg) => !arg.startsWith('--')) ?? join(import.meta.dir, '..'))
const isVerbose = args.includes('--files')
const sources = readSources(checkout)

console.log(`${[...toInventory(sources), ...toPathTable(await followAll())].join('\n')}`)

async function followAll(): Promise<readonly RequestPath[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-structure-'))
  const children = createChildren()
  process.on('exit', () => {
    children.killAll()
    rmSync(folder, { recursive: true, force: true })
  })
  return followRequests(instrument(checkout, folder), children)
}

function toInventory(all: readonly Source[]): readonly string[] {
  const rooms = countRooms(all).map(({ room, files, lines }) => {
    const depth = room.split('/').length - 1
    return `| ${'&nbsp;&nbsp;'.repeat(depth)}${room} | ${files} | ${lines} |`
  })
  const lines = all.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)
  const { folders, median, largest, most } = measureFolders(all)
  const homonyms = findHomonyms(all)
  const spellings = findSpellings(all, 'language')
  return [
    '| room | files | lines |',
    '|---|---:|---:|',
    ...rooms,
    `| **all** | **${all.length}** | **${lines}** |`,
    '',
    '| | |',
    '|---|---|',
    `| files in a folder, median of ${folders} | ${median} |`,
    `| largest folder | ${most} (${largest}) |`,
    `| files that spell \`language\` | ${spellings.length}${isVerbose ? `: ${spellings.join(', ')}` : ''} |`,
    `| exported names that occur twice | ${homonyms.length} |`,
    '',
    ...homonyms.map(({ name, files }) => `- \`${name}\`: ${files.join(', ')}`),
  ]
}

function toPathTable(paths: readonly RequestPath[]): readonly string[] {
  const rows = paths.map(({ name, files }) => `| ${name} | ${files.length} | ${budgets[name] ?? ''} |`)
  const lists = paths.flatMap(({ name, files }) => ['', `${name}:`, '', ...files.map((file) => `- ${file}`)])
  return ['', '| files that run in one | | budget |', '|---|---:|---:|', ...rows, ...(isVerbose ? lists : [])]
}
