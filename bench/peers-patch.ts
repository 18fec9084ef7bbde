import { measureDisk } from './harness/disk.ts'
import { exchange, hotGet } from './harness/exchange.ts'
import { toDjango } from './harness/peer.ts'
import type { Question, Row } from './harness/question.ts'
import { interleave, measure, toRateText, toRatioRow } from './harness/rounds.ts'
import { saveRecords, startPeers, toAbsenceRows } from './peers.ts'

const connections = 64

export const peersPatchQuestion: Question = {
  name: 'peers-patch',
  asks:
    'How many durable PATCHes a second are there compared with Django REST framework under gunicorn with one worker, whose ' +
    'SQLite makes each commit durable too, with tables for events, speakers and tags and with one table? ' +
    `${connections} clients take turns on 50 records; one HTTP thread. Goal: 30 ×.`,
  isPinned: false,
  generator: 'bundled',
  async run(context) {
    const disk = measureDisk(context.folder)
    const server = await context.startRostrum({ threads: 1, store: 'peers' })
    const peers = toDjango(await saveRecords(context, server))
    const others = await startPeers(context, peers, await exchange(server.port, hotGet))
    const work = { kind: 'patch', token: context.adminToken, firstId: 1, records: 50 } as const
    const load = { connections, durationMs: context.roundMs, perSecond: null, work }
    const sides = [{ name: 'Rostrum', server }, ...others].map(({ name, server: each }) => ({
      name,
      run: () => measure(context, each, { ...load, port: each.port }),
    }))
    const results = await interleave(context, sides, toRateText)
    const [ours = [], ...theirs] = results.map((rounds) => rounds.map(({ perSecond }) => perSecond))
    const ratios = others.map(({ name }, i) => toRatioRow(`Rostrum to ${name}, PATCHes`, ours, theirs[i] ?? []))
    const rates = sides.map(({ name }, i): Row => {
      return { label: name, unit: 'writes/s', values: results[i]?.map(({ perSecond }) => perSecond) ?? [] }
    })
    return [...ratios, ...rates, disk, ...toAbsenceRows(peers)]
  },
}
