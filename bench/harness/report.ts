import type { Question, Row, Unit } from './question.ts'

const digits: { readonly [unit in Unit]: number } = {
  '×': 3,
  'req/s': 0,
  'writes/s': 0,
  µs: 1,
  ms: 2,
  '%': 0,
  KB: 1,
  MB: 0,
  changes: 0,
  rounds: 0,
}

const preface = `# Results

Written by \`npm run bench\`; [README.md](README.md) explains how to read them. Each section is from the latest run of its
question and names the machine.
`

/** A question's part of the report. */
export function toSection(
  question: Pick<Question, 'name' | 'asks'>,
  rows: readonly Row[],
  circumstances: string,
): string {
  const table = ['| | median | min – max |', '|---|---:|---:|', ...rows.map(toLine)]
  return [`## ${question.name}`, '', question.asks, '', ...table, '', `${circumstances}.`, ''].join('\n')
}

/** The report with the new sections in place of old ones, in the order of the names. */
export function mergeReport(old: string, sections: ReadonlyMap<string, string>, names: readonly string[]): string {
  const kept = new Map(
    old.split(/^(?=## )/m).flatMap((text): [string, string][] => {
      const name = /^## (\S+)\n/.exec(text)?.[1]
      return name === undefined ? [] : [[name, text]]
    }),
  )
  const all = names.flatMap((name) => sections.get(name) ?? kept.get(name) ?? [])
  return `${[preface, ...all].map((text) => text.trim()).join('\n\n')}\n`
}

function toLine({ label, unit, values }: Row): string {
  if (values.length === 0) return `| ${label} | – | |`
  const sorted = [...values].sort((a, b) => a - b)
  const format = (value: number) =>
    value.toLocaleString('en-US', { minimumFractionDigits: digits[unit], maximumFractionDigits: digits[unit] })
  const spread = `${format(sorted[0] ?? Number.NaN)} – ${format(sorted.at(-1) ?? Number.NaN)}`
  const median = `${format(toMedian(sorted))} ${unit}`
  // Only ratios are comparable between days.
  return unit === '×' ? `| **${label}** | **${median}** | ${spread} |` : `| ${label} | ${median} | ${spread} |`
}

function toMedian(sorted: readonly number[]): number {
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2
}
