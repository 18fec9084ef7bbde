import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { isTalkFolder, openFolder } from './folder.ts'
import type { Source } from './incoming.ts'
import { openArray, openLines } from './lines.ts'
import { openServer } from './server.ts'

export type Recognised =
  | { readonly ok: true; readonly source: Source }
  | { readonly ok: false; readonly problem: string }

const kinds =
  'It should be a folder of events with videos/*.json, a file of records (one a line, or one JSON array), or the ' +
  'address of a server.'

/** What somebody wants to import, by what it looks like. */
export function recognise(given: string): Recognised {
  if (/^https?:\/\//i.test(given)) return { ok: true, source: openServer(given) }
  if (!existsSync(given)) return { ok: false, problem: `There is nothing at ${given}. ${kinds}` }
  if (statSync(given).isDirectory()) {
    if (isTalkFolder(given)) return { ok: true, source: openFolder(given) }
    return { ok: false, problem: `${given} has no folder with videos in it. ${kinds}` }
  }
  const first = readFirst(given)
  if (first === '[') return { ok: true, source: openArray(given) }
  if (first === '{') return { ok: true, source: openLines(given) }
  return { ok: false, problem: `${given} begins with neither { nor [, so it is no JSON. ${kinds}` }
}

/** The first character that is no space. */
function readFirst(path: string): string {
  const bytes = Buffer.alloc(4096)
  const file = openSync(path, 'r')
  try {
    return bytes.toString('latin1', 0, readSync(file, bytes)).trimStart().slice(0, 1)
  } finally {
    closeSync(file)
  }
}
