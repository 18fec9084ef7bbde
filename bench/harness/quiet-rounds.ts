import type { Context, Row } from './question.ts'
import type { Side } from './rounds.ts'
import { watchStolen } from './stolen.ts'

/** Servers that were just started and warmed up, and the sides to compare. */
export interface Started<T> {
  readonly sides: readonly Side<T>[]
  end(): Promise<void>
}

/** Of each side its rounds, and how quiet they were. */
interface QuietRounds<T> {
  readonly rounds: readonly (readonly T[])[]
  readonly quiet: readonly Row[]
}

interface Round<T> {
  readonly results: readonly T[]
  readonly stolen: number
}

/** Figures differ between starts. */
const starts = 3
const roundsPerStart = 3
/** For `Question.pace`. */
export const quietPace = `${starts} starts of ${roundsPerStart} rounds, interleaved`
/** Above this share of CPU time, p99 depends mostly on what other virtual machines take. */
const maxStolen = 0.0025
/** The most rounds to try, as a multiple of the needed number. */
const tries = 3

/**
 * Runs the sides in turn, as `interleave` does, on servers that are restarted a few times. Rounds in which other
 * virtual machines took CPU time are repeated, whatever their figures; if there are not enough quiet rounds, the
 * quietest ones are used.
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
    const rounds = await runRounds(sides, toText, say)
    await end()
    taken.push(...rounds.slice(0, roundsPerStart))
    left += rounds.length - roundsPerStart
  }
  const width = taken[0]?.results.length ?? 0
  const disturbed = taken.filter((round) => !isQuiet(round)).length
  return {
    rounds: Array.from({ length: width }, (_, i) => taken.flatMap(({ results }) => results.slice(i, i + 1))),
    quiet: [
      { label: 'rounds left out, since other machines took time of the cores', unit: 'rounds', values: [left] },
      { label: 'noisy rounds kept', unit: 'rounds', values: [disturbed] },
    ],
  }
}

const isQuiet = ({ stolen }: { readonly stolen: number }) => stolen <= maxStolen

/** Until there are enough quiet rounds; the quietest first. */
async function runRounds<T>(
  sides: readonly Side<T>[],
  toText: (result: T) => string,
  say: (text: string) => void,
): Promise<readonly Round<T>[]> {
  const rounds: Round<T>[] = []
  say(`warm-up: ${toRoundText(await runRound(sides), sides, toText)}`)
  while (rounds.filter(isQuiet).length < roundsPerStart && rounds.length < roundsPerStart * tries) {
    const round = await runRound(sides)
    rounds.push(round)
    const fault = isQuiet(round) ? '' : ` (${(100 * round.stolen).toFixed(1)} % stolen)`
    say(`round ${rounds.length}${fault}: ${toRoundText(round, sides, toText)}`)
  }
  return rounds.toSorted((a, b) => a.stolen - b.stolen)
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
