import type { Context, Row } from './question.ts'
import type { Side } from './rounds.ts'
import { watchStolen } from './stolen.ts'

/** Servers that have just been started and warmed up, and what is compared of them. */
export interface Started<T> {
  readonly sides: readonly Side<T>[]
  end(): Promise<void>
}

/** Of each side its rounds, and how many were not taken. */
export interface QuietRounds<T> {
  readonly rounds: readonly (readonly T[])[]
  readonly left: Row
}

interface Round<T> {
  readonly results: readonly T[]
  readonly stolen: number
}

/** A process keeps the luck of its start. */
const starts = 3
/** Above this share of the cores' time, what other machines take of it decides how long one in a hundred waits. */
const maxStolen = 0.0025
/** So many times as many rounds as are wanted are tried. */
const tries = 3

/**
 * Runs the sides in turn, as `interleave` does, on servers that are started afresh a few times. How long one in a
 * hundred waits is told only by rounds in which no other machine took time of this one's cores, whatever came of them:
 * others are run again, and where there are not enough, the ones with the least are taken.
 */
export async function interleaveQuietly<T>(
  context: Context,
  start: () => Promise<Started<T>>,
  toText: (result: T) => string,
): Promise<QuietRounds<T>> {
  const taken: Round<T>[] = []
  let left = 0
  for (let number = 1; number <= starts; number++) {
    const { sides, end } = await start()
    const say = (text: string) => context.say(`start ${number} of ${starts}, ${text}`)
    const found = await runRounds(sides, Math.ceil(context.rounds / starts), toText, say)
    await end()
    taken.push(...found.taken)
    left += found.left
  }
  const width = taken[0]?.results.length ?? 0
  return {
    rounds: Array.from({ length: width }, (_, i) => taken.flatMap(({ results }) => results.slice(i, i + 1))),
    left: { label: 'rounds not taken, since other machines took time of the cores', unit: 'rounds', values: [left] },
  }
}

async function runRounds<T>(
  sides: readonly Side<T>[],
  wanted: number,
  toText: (result: T) => string,
  say: (text: string) => void,
): Promise<{ readonly taken: readonly Round<T>[]; readonly left: number }> {
  const rounds: Round<T>[] = []
  const isQuiet = ({ stolen }: Round<T>) => stolen <= maxStolen
  say(`warm-up: ${toRoundText(await runRound(sides), sides, toText)}`)
  while (rounds.filter(isQuiet).length < wanted && rounds.length < wanted * tries) {
    const round = await runRound(sides)
    rounds.push(round)
    const fault = isQuiet(round) ? '' : ` (${(100 * round.stolen).toFixed(1)} % stolen)`
    say(`round ${rounds.length}${fault}: ${toRoundText(round, sides, toText)}`)
  }
  const taken = rounds.toSorted((a, b) => a.stolen - b.stolen).slice(0, wanted)
  return { taken, left: rounds.length - taken.length }
}

async function runRound<T>(sides: readonly Side<T>[]): Promise<Round<T>> {
  const results: T[] = []
  let stolen = 0
  for (const side of sides) {
    const watched = await watchStolen(side.run)
    results.push(watched.result)
    stolen = Math.max(stolen, watched.stolen)
  }
  return { results, stolen }
}

function toRoundText<T>({ results }: Round<T>, sides: readonly Side<T>[], toText: (result: T) => string): string {
  return results.map((result, i) => `${sides[i]?.name} ${toText(result)}`).join(', ')
}
