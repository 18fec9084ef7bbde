import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { toPublicAddress } from '../record/text/address.ts'
import { isTalkFolder, openFolder } from './folder.ts'
import type { ArchiveSource } from './incoming.ts'
import { openArray } from './json-array/array.ts'
import { openLines } from './lines.ts'
import { openServer } from './server/server.ts'
import { parseServerAddress } from './server/server-address.ts'

export type DetectedFormat =
  | { readonly ok: true; readonly source: ArchiveSource }
  /** A store's own dump, which is more than records. */
  | { readonly ok: true; readonly dump: string }
  | { readonly ok: false; readonly problem: string }

const kinds =
  'It should be a folder of events with videos/*.json, the folder of one event, a file of records (one a line, or one JSON array), a dump, or ' +
  'the address of a server.'

const firstLength = 100
/** Its three bytes, each read as one letter. */
const byteOrderMark = '\xef\xbb\xbf'

/** What somebody wants to import, by what it looks like; `dumpStart` is how a store's own dumps begin. */
export function detectFormat(given: string, dumpStart: string): DetectedFormat {
  if (/^https?:\/\//i.test(given)) return recogniseServer(given)
  if (!existsSync(given)) return { ok: false, problem: `There is nothing at ${toPublicAddress(given)}. ${kinds}` }
  const stats = statSync(given)
  if (stats.isDirectory()) {
    if (isTalkFolder(given)) return { ok: true, source: openFolder(given) }
    return { ok: false, problem: `${given} has no folder with videos in it. ${kinds}` }
  }
  // Of a pipe, what was read to recognise it would be missing from what is imported.
  if (!stats.isFile()) {
    return { ok: false, problem: `${given} is no ordinary file. It is read more than once, so save it as one first.` }
  }
  const first = readFirst(given)
  if (first.startsWith('[')) return { ok: true, source: openArray(given) }
  if (first.startsWith(dumpStart)) return { ok: true, dump: given }
  if (first.startsWith('{')) return { ok: true, source: openLines(given) }
  if (first.startsWith(byteOrderMark)) {
    return { ok: false, problem: `${given} begins with a byte order mark, which JSON has not; save it without one.` }
  }
  return { ok: false, problem: `${given} begins with neither { nor [, so it is no JSON. ${kinds}` }
}

function recogniseServer(given: string): DetectedFormat {
  const server = parseServerAddress(given)
  return server.ok ? { ok: true, source: openServer(server.address) } : server
}

/** How it begins, without spaces, however many there are. */
function readFirst(path: string): string {
  const bytes = Buffer.alloc(4096)
  const file = openSync(path, 'r')
  try {
    let text = ''
    for (let read = -1; read !== 0 && text.length < firstLength; ) {
      read = readSync(file, bytes)
      text = (text + bytes.toString('latin1', 0, read)).trimStart()
    }
    return text.slice(0, firstLength)
  } finally {
    closeSync(file)
  }
}
