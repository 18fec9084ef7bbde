import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { toPublicAddress } from '../record/text/address.ts'
import { isTalkFolder, openFolder } from './folder.ts'
import type { ArchiveSource } from './incoming.ts'
import { openArray, openLines } from './records.ts'
import { openServer, parseServerAddress } from './server.ts'

type DetectedFormat =
  | { readonly ok: true; readonly source: ArchiveSource }
  /** A dump of a store, which has more than records. */
  | { readonly ok: true; readonly dump: string }
  | { readonly ok: false; readonly problem: string }

const kinds =
  'Name a folder of events with videos/*.json, the folder of one event, a file of records (one per line, or one JSON ' +
  'array), a dump, or the address of a server.'

const firstLength = 100
/** The UTF-8 byte order mark, read as Latin-1. */
const byteOrderMark = '\xef\xbb\xbf'

/** Detects the format of a source by its contents. `dumpStart` is how dumps begin. */
export function detectFormat(given: string, dumpStart: string): DetectedFormat {
  if (/^https?:\/\//i.test(given)) return detectServer(given)
  if (!existsSync(given)) return { ok: false, problem: `${toPublicAddress(given)} does not exist. ${kinds}` }
  const stats = statSync(given)
  if (stats.isDirectory()) {
    if (isTalkFolder(given)) return { ok: true, source: openFolder(given) }
    return { ok: false, problem: `${given} has no folder with videos. ${kinds}` }
  }
  // What is read from a pipe to detect its format would be missing from the import.
  if (!stats.isFile()) {
    return {
      ok: false,
      problem: `${given} is not a regular file. An import reads it more than once, so save it to a file first.`,
    }
  }
  const first = readFirst(given)
  if (first.startsWith('[')) return { ok: true, source: openArray(given) }
  if (first.startsWith(dumpStart)) return { ok: true, dump: given }
  if (first.startsWith('{')) return { ok: true, source: openLines(given) }
  if (first.startsWith(byteOrderMark)) {
    return {
      ok: false,
      problem: `${given} begins with a byte order mark, which JSON does not allow. Save it without one.`,
    }
  }
  return { ok: false, problem: `${given} begins with neither { nor [, so it is not JSON. ${kinds}` }
}

function detectServer(given: string): DetectedFormat {
  const server = parseServerAddress(given)
  return server.ok ? { ok: true, source: openServer(server.address) } : server
}

/** The first characters after any leading space. */
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
