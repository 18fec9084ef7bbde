import { recognise } from './detect-format.ts'
import type { Incoming } from './incoming.ts'
import { type Prepared, prepare } from './prepared.ts'
import type { Opened } from './source.ts'

/** A source that the thread which stores it reads as well. */
export function openHere(given: string, dumpStart: string): Opened {
  const recognised = recognise(given, dumpStart)
  if (!recognised.ok) return { is: 'refused', problem: recognised.problem }
  if ('dump' in recognised) return { is: 'dump' }
  const { source } = recognised
  return { ...source, is: 'source', all: () => prepareAll(source.read()), close: () => undefined }
}

/** Words are made when they are needed: most talks may be there already. */
async function* prepareAll(all: AsyncIterable<Incoming>): AsyncIterable<Prepared> {
  for await (const each of all) yield prepare(each, false)
}
