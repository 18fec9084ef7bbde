import { findOnce } from '../../../site/asset/script/finder.ts'
import type { PickOption } from './picker.ts'

/** Which names of a list the archive does not have yet. */
export interface NameMarks {
  isNew(name: string): boolean
  /** Asks the server for names that nothing is known of, one after the other, and tells which of them are new. */
  look(names: readonly string[]): Promise<void>
}

/** More names than anybody types; a pasted list may have more. */
const maxAsked = 50

/** `known` are names of the stored talk. A name that the server says nothing of is not marked, and asked for again. */
export function createNameMarks(address: string, known: readonly string[], onNew: (name: string) => void): NameMarks {
  const marks = new Map<string, boolean>(known.map((name) => [name, false]))
  const asked = new Set<string>()

  async function ask(name: string): Promise<void> {
    if (marks.has(name) || asked.has(name)) return
    asked.add(name)
    const isKnown = await findName(address, name)
    asked.delete(name)
    if (isKnown === null) return
    marks.set(name, !isKnown)
    if (!isKnown) onNew(name)
  }
  return {
    isNew: (name) => marks.get(name) === true,
    async look(names) {
      const unknown = names.filter((name) => !marks.has(name))
      for (const name of unknown.slice(0, maxAsked)) await ask(name)
    },
  }
}

/** Whether the archive has exactly this name, or had it before a merge; null without an answer. */
async function findName(address: string, name: string): Promise<boolean | null> {
  const found = await findOnce<PickOption>(address, name)
  return typeof found === 'string' ? null : found.some(({ text, alias }) => text === name || alias === name)
}
