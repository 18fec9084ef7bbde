import { hotGet } from './harness/exchange.ts'
import { measureFresh, type NamedServer } from './harness/fresh.ts'
import type { Context, Question, Row } from './harness/question.ts'
import { type NamedRounds, toRatioRow, toReadRows, toSideRows } from './harness/rounds.ts'
import { checkSame } from './harness/same.ts'

export const hotGetQuestion: Question = {
  name: 'hot-get',
  asks:
    'How near is GET of a hot record on one thread to the fastest bare `Bun.serve` that answers the same bytes, and to ' +
    'one that at least looks at the headers and the address, which every right answer depends on (`bare-server.ts`)? ' +
    '16 connections; all started afresh each time, 15 times, since a process keeps the luck of its start. Wanted, to ' +
    'bare: 0.90.',
  isPinned: true,
  generator: 'any',
  async run(context) {
    return toRows(await measureFresh(context, () => startAll(context)))
  },
}

async function startAll(context: Context): Promise<readonly NamedServer[]> {
  const rostrum = await context.startRostrum({ threads: 1, store: 'hot-get' })
  const asked = String(rostrum.port)
  const bare = await context.startBare('bare-server.ts', [asked])
  const looking = await context.startBare('bare-server.ts', [asked, 'looking'])
  for (const each of [bare, looking]) await checkSame(hotGet, rostrum.port, each.port)
  return [
    { name: 'Rostrum', server: rostrum },
    { name: 'bare', server: bare },
    { name: 'bare that looks', server: looking },
  ]
}

function toRows(sides: readonly NamedRounds[]): readonly Row[] {
  const [ours, bare, looking] = sides
  if (ours === undefined || bare === undefined || looking === undefined) throw new Error('a server was not measured')
  const rates = ({ rounds }: NamedRounds) => rounds.map(({ perSecond }) => perSecond)
  return [
    ...toReadRows(ours, bare),
    toRatioRow('bare that looks to bare, requests', rates(looking), rates(bare)),
    toRatioRow('Rostrum to bare that looks, requests', rates(ours), rates(looking)),
    ...toSideRows(looking),
  ]
}
