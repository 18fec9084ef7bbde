import { kinds } from './kinds.ts'
import type { Half } from './talk.ts'

export interface Options {
  /** A folder of talks as pyvideo.org keeps them; null: the sample. */
  readonly data: string | null
  readonly halves: readonly Half[]
  readonly queries: number
  readonly seed: number
  readonly isJson: boolean
  /** Run only queries of this kind, and print the misses. */
  readonly misses: string | null
}

export const usage = [
  'sh bin/bun --dev bench/search-quality.ts [--data FOLDER] [--half report|tuning|both] [--queries N] [--seed N]',
  '  [--json] [--misses KIND]',
  `Kinds: ${kinds.map(({ name }) => name).join(', ')}`,
].join('\n')

const halves: { readonly [name: string]: readonly Half[] } = {
  report: ['report'],
  tuning: ['tuning'],
  both: ['tuning', 'report'],
}

/** Null if they are invalid. Misses are for tuning, so they are of the tuning half unless a half is named. */
export function parseOptions(args: readonly string[]): Options | null {
  const given = new Map<string, string>()
  const words = args.values()
  for (const word of words) {
    if (!/^--(?:data|half|queries|seed|misses|json)$/.test(word)) return null
    const value = word === '--json' ? '' : words.next().value
    if (value === undefined) return null
    given.set(word.slice(2), value)
  }
  const misses = given.get('misses') ?? null
  if (misses !== null && !kinds.some(({ name }) => name === misses)) return null
  const wanted = halves[given.get('half') ?? (misses === null ? 'report' : 'tuning')]
  const [queries, seed] = [given.get('queries') ?? '400', given.get('seed') ?? '1']
  if (wanted === undefined || !/^[1-9]\d{0,6}$/.test(queries) || !/^\d{1,8}$/.test(seed)) return null
  return {
    data: given.get('data') ?? null,
    halves: wanted,
    queries: Number(queries),
    seed: Number(seed),
    isJson: given.has('json'),
    misses,
  }
}
