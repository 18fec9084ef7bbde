import { hotGet } from './harness/exchange.ts'
import { measureFresh, type NamedServer } from './harness/fresh.ts'
import type { Context, Question, Row } from './harness/question.ts'
import { type NamedRounds, toRatioRow, toReadRows, toSideRows } from './harness/rounds.ts'
import { checkSame } from './harness/same.ts'

export const hotGetQuestion: Question = {
  name: 'hot-get',
  asks:
    'How close is GET of a hot record on one thread to the fastest bare `Bun.serve` that sends the same bytes, and to ' +
    'one that first reads the headers and the URL, as every correct server must (`bare-server.ts`)? ' +
    '16 connections; all restarted each time, 15 times, since figures differ between starts. Goals: to ' +
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
  const checking = await context.startBare('bare-server.ts', [asked, 'checking'])
  for (const each of [bare, checking]) await checkSame(hotGet, rostrum.port, each.port)
  return [
    { name: 'Rostrum', server: rostrum },
    { name: 'bare', server: bare },
    { name: 'bare with checks', server: checking },
  ]
}

function toRows(sides: readonly NamedRounds[]): readonly Row[] {
  const [ours, bare, checking] = sides
  if (ours === undefined || bare === undefined || checking === undefined) throw new Error('a server was not measured')
  const rates = ({ rounds }: NamedRounds) => rounds.map(({ perSecond }) => perSecond)
  return [
    ...toReadRows(ours, bare),
    toRatioRow('bare with checks to bare, requests', rates(checking), rates(bare)),
    toRatioRow('Rostrum to bare with checks, requests', rates(ours), rates(checking)),
    ...toSideRows(checking),
  ]
}
