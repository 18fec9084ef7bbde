import { resolve } from 'node:path'
import { type GeneratorName, hasWrk } from './generator.ts'

/** The options of the command line. */
export interface Options {
  readonly names: readonly string[]
  readonly isQuick: boolean
  readonly rounds: number
  readonly roundMs: number
  readonly generator: GeneratorName
  /** The report's file; null: none is written. */
  readonly out: string | null
}

export function usage(names: readonly string[]): string {
  return [
    'npm run bench -- [--quick] [--generator wrk|bundled] [--out FILE] [QUESTION ...]',
    `Questions, all without any: ${names.join(', ')}`,
  ].join('\n')
}

/** Null if they are invalid. A quick run checks that the benchmarks work; its figures are not kept. */
export function parseOptions(args: readonly string[], names: readonly string[], results: string): Options | null {
  const wanted: string[] = []
  let isQuick = false
  let generator: GeneratorName = hasWrk() ? 'wrk' : 'bundled'
  let out: string | null = null
  const words = args.values()
  for (const word of words) {
    if (word === '--quick') isQuick = true
    else if (word === '--generator') {
      const name = words.next().value
      if (name !== 'bundled' && !(name === 'wrk' && hasWrk())) return null
      generator = name
    } else if (word === '--out') {
      const file = words.next().value
      if (file === undefined) return null
      out = resolve(file)
    } else if (names.includes(word)) wanted.push(word)
    else return null
  }
  const pace = isQuick ? { rounds: 5, roundMs: 300 } : { rounds: 7, roundMs: 2_000 }
  const file = out ?? (isQuick ? null : results)
  return { names: wanted.length === 0 ? names : wanted, isQuick, ...pace, generator, out: file }
}
