import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer } from './harness/answer.ts'
import { exchange, hotGet } from './harness/exchange.ts'
import { measureFresh, type NamedServer } from './harness/fresh.ts'
import { toNginx } from './harness/nginx.ts'
import { type Peer, type PeerData, toDjango, toFastify } from './harness/peer.ts'
import type { Context, Question, Row } from './harness/question.ts'
import { type Measured, type NamedRounds, toRatioRow, toSideRows } from './harness/rounds.ts'
import type { ServerProcess } from './harness/servers.ts'

const records = 50

export const peersQuestion: Question = {
  name: 'peers',
  asks:
    'How does GET of a hot record compare with other servers of the same bytes? One thread or worker each, 16 ' +
    'connections: nginx with the answer as a file, Fastify with the record in SQLite, Django REST framework with ' +
    'tables for events, speakers and tags (`peers/drf/archive`) and with one table that has everything in it. All ' +
    'are restarted each time, 15 times. Goals: to nginx 0.40 × or more, to Fastify 2.5, to DRF 150.',
  isPinned: true,
  generator: 'any',
  async run(context) {
    const server = await context.startRostrum({ threads: 1, store: 'peers' })
    const answer = await exchange(server.port, hotGet)
    const data = await saveRecords(context, server)
    await server.stop()
    const peers = [toNginx(context.folder, answer), await toFastify(data, context.say), ...toDjango(data)]
    const sides = await measureFresh(context, async () => [
      { name: 'Rostrum', server: await context.startRostrum({ threads: 1, store: 'peers' }) },
      ...(await startPeers(context, peers, answer)),
    ])
    return toRows(sides, peers)
  },
}

/** The records that the peers get, as Rostrum serves them. */
export async function saveRecords(context: Context, server: ServerProcess): Promise<PeerData> {
  const path = join(context.folder, 'records.ndjson')
  const lines: string[] = []
  for (let id = 1; id <= records; id++) {
    const { body } = await exchange(server.port, { ...hotGet, target: `/api/v2/video/${id}` })
    lines.push(body.toString('utf8'))
  }
  writeFileSync(path, `${lines.join('\n')}\n`)
  return { folder: context.folder, records: path }
}

/** The peers that are installed; each must send the same record. */
export async function startPeers(
  context: Context,
  peers: readonly Peer[],
  answer: Answer,
): Promise<readonly NamedServer[]> {
  const started: NamedServer[] = []
  for (const { name, command } of peers) {
    if (command === null) continue
    const server = await context.startPeer(name, command)
    const { body } = await exchange(server.port, hotGet)
    // The same record; < and > may be escaped differently.
    const isSame = Bun.deepEquals(JSON.parse(String(body)), JSON.parse(String(answer.body)))
    if (!isSame) throw new Error(`${name} answers ${body} instead of ${answer.body}`)
    started.push({ name, server })
  }
  return started
}

function toRows(sides: readonly NamedRounds[], peers: readonly Peer[]): Row[] {
  const [ours, ...others] = sides
  const rates = (rounds: readonly Measured[]) => rounds.map(({ perSecond }) => perSecond)
  const costs = (rounds: readonly Measured[]) => rounds.flatMap(({ cpuUs }) => cpuUs ?? [])
  const ratios = others.flatMap(({ name, rounds }) => [
    toRatioRow(`Rostrum to ${name}, requests`, rates(ours?.rounds ?? []), rates(rounds)),
    toRatioRow(`${name} to Rostrum, CPU per request`, costs(rounds), costs(ours?.rounds ?? [])),
  ])
  return [...ratios, ...sides.flatMap(toSideRows), ...toAbsenceRows(peers)]
}

export function toAbsenceRows(peers: readonly Peer[]): Row[] {
  const absent = peers.filter(({ command }) => command === null)
  return absent.map(({ name, absence }) => ({ label: `${name}: ${absence}`, unit: '×', values: [] }))
}
