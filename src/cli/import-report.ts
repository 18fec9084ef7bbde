import type { IncomingProblem } from '../archive/incoming.ts'
import type { ImportOutcome } from '../store/import.ts'

/** What became of everything in a source. */
export interface ImportReport {
  add(path: string, ownId: number | null, outcome: ImportOutcome): void
  refuse(problem: Omit<IncomingProblem, 'is'>): void
  setBatch(batch: number | null): void
  /** Nothing of it stays. */
  forget(): void
  refusedCount(): number
  toJson(): string
  toText(): string
}

interface Refused {
  readonly file: string
  readonly field: string | null
  readonly reason: string
}

const maxShown = 20

export function createImportReport(isRehearsal: boolean): ImportReport {
  const counts = { created: 0, updated: 0, unchanged: 0 }
  let refused: Refused[] = []
  let renumbered: { file: string; id: number; new_id: number; reason: string }[] = []
  let batch: number | null = null
  /** A file with several mistakes is refused once. */
  const countFiles = () => new Set(refused.map(({ file }) => file)).size

  function toLines(): string[] {
    const would = isRehearsal ? ' (dry run: nothing was stored)' : ''
    return [
      `${counts.created} created, ${counts.updated} updated, ${counts.unchanged} unchanged, ${countFiles()} refused${would}`,
      ...toSome(refused.map(({ file, field, reason }) => `  refused ${file}${field ? `, ${field}` : ''}: ${reason}`)),
      ...toSome(renumbered.map((each) => `  ${each.file}: id ${each.id} is ${each.reason}, so it got ${each.new_id}`)),
      ...(batch === null ? [] : [`All of it is batch ${batch}; POST /api/v2/batches/${batch}/undo takes it back.`]),
    ]
  }

  return {
    add(file, ownId, outcome) {
      if (outcome.is === 'erased') return void refused.push({ file, field: null, reason: toErasedText(outcome.at) })
      const { is, id, renumbered: reason } = outcome
      counts[is]++
      if (reason !== null && ownId !== null) renumbered.push({ file, id: ownId, new_id: id, reason })
    },
    refuse: ({ path: file, field, reason }) => void refused.push({ file, field, reason }),
    setBatch(number) {
      batch = number
    },
    forget() {
      Object.assign(counts, { created: 0, updated: 0, unchanged: 0 })
      refused = []
      renumbered = []
      batch = null
    },
    refusedCount: countFiles,
    toJson: () => `${JSON.stringify({ ...counts, refused, renumbered, batch }, null, 2)}\n`,
    toText: () => `${toLines().join('\n')}\n`,
  }
}

const toErasedText = (at: string) =>
  `It was erased here on ${at.slice(0, 10)}, and stays away; with --bring-back-erased it comes in again.`

function toSome(lines: readonly string[]): readonly string[] {
  if (lines.length <= maxShown) return lines
  return [...lines.slice(0, maxShown), `  … and ${lines.length - maxShown} more; --report FILE has them all`]
}
