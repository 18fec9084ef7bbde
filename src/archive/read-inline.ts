import { detectFormat } from './detect-format.ts'
import type { Incoming } from './incoming.ts'
import { type PreparedEntry, prepare } from './prepared.ts'
import type { OpenedSource } from './source.ts'

/** A source that the thread which stores it reads as well. */
export function openInline(given: string, dumpStart: string): OpenedSource {
  const recognised = detectFormat(given, dumpStart)
  if (!recognised.ok) return { is: 'refused', problem: recognised.problem }
  if ('dump' in recognised) return { is: 'dump' }
  const { source } = recognised
  return { ...source, is: 'source', all: () => prepareAll(source.read()), close: () => undefined }
}

/** Words are made when they are needed: most talks may be there already. */
async function* prepareAll(all: AsyncIterable<Incoming>): AsyncIterable<PreparedEntry> {
  for await (const each of all) yield prepare(each, false)
}
