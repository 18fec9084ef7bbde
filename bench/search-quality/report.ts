import type { Compared, Figures, KindRow, Outcome } from './evaluate.ts'

export function toTable(rows: readonly KindRow[]): string {
  const lines = rows.map(({ label, queries, noise, rostrum, miniSearch }) => {
    const ratio = (rostrum.medianMs / miniSearch.medianMs).toFixed(2)
    const ties = [`±${noise.found.toFixed(3)}`, `±${noise.first.toFixed(3)}`]
    return `| ${[label, queries, ...toCells(rostrum), ...toCells(miniSearch), ...ties, ratio].join(' | ')} |`
  })
  return [
    '| query | queries | Rostrum finds | first | median ms | MiniSearch finds | first | median ms | tie: finds | first | time × |',
    '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|',
    ...lines,
  ].join('\n')
}

/** Queries that MiniSearch answers better, with what came first instead. */
export function toMisses(compared: readonly Compared[], kind: string, toTitle: (id: number) => string): string {
  const ofKind = compared.filter(({ item }) => item.kind === kind)
  const missed = ofKind.filter(({ rostrum, miniSearch }) => rostrum.position === null && miniSearch.position !== null)
  const lower = ofKind.filter(({ rostrum, miniSearch }) => (rostrum.position ?? 1) > 1 && miniSearch.position === 1)
  const toLines = ({ item, rostrum, miniSearch }: Compared) => [
    `- ${item.q}`,
    `    wanted   ${item.title}`,
    `    first    ${rostrum.firstId === null ? '(nothing)' : toTitle(rostrum.firstId)}`,
    `    position ${toPosition(rostrum)}, MiniSearch ${toPosition(miniSearch)}`,
  ]
  return [
    `${missed.length} of ${ofKind.length} not found that MiniSearch finds`,
    ...missed.flatMap(toLines),
    '',
    `${lower.length} of ${ofKind.length} found, not first, and first in MiniSearch`,
    ...lower.flatMap(toLines),
  ].join('\n')
}

/** For scripts: the rows, and the position of each query on both sides. */
export function toJson(rows: readonly KindRow[], compared: readonly Compared[]) {
  const queries = compared.map(({ item, rostrum, miniSearch }) => ({
    ...item,
    ids: [...item.ids],
    rostrum: rostrum.position,
    miniSearch: miniSearch.position,
  }))
  return { rows, queries }
}

function toCells({ found, first, medianMs }: Figures): readonly string[] {
  return [found.toFixed(3), first.toFixed(3), medianMs.toFixed(2)]
}

const toPosition = ({ position }: Outcome) => position ?? '–'
