// Starts the threads as `rostrum serve` does, and ends one of them whenever a line on standard input names it; or lets it
// hang: "hang code http".

import { join } from 'node:path'
import { createLogger } from '../../src/http/logger.ts'
import { toAccessTokenHash } from '../../src/record/credentials.ts'
import type { HttpPlan } from '../../src/serve/port/messages.ts'
import { createSharedBuffers, startThreads } from '../../src/serve/threads.ts'
import { readConfig } from '../../src/settings/config.ts'
import { createDatabase } from '../../src/store/sqlite/connection.ts'

const [db = '', port = '', key = ''] = process.argv.slice(2)
await createDatabase(db)
const read = readConfig(new Map([['db', db]]), { ROSTRUM_PORT: port, ROSTRUM_THREADS: '2', ROSTRUM_QUERY_THREADS: '1' })
if (!read.ok) throw new Error(read.problems.join())
const { adminToken: _, ...config } = read.config
const shared = createSharedBuffers(2)
const workers: { readonly url: string; readonly worker: Worker }[] = []
const toPlan = (thread: number): HttpPlan => ({
  ...{
    thread,
    config,
    site: null,
    engine: 'sqlite',
    shared,
    adminKeyHash: toAccessTokenHash(key),
    port: config.port,
    reusePort: true,
    version: '0',
    uptimeMs: 0,
  },
})
const log = createLogger(Date.now)
const threads = startThreads({
  store: {
    engine: 'sqlite',
    address: db,
    query: { ...config, listeningUrl: '', site: null },
    snapshot: null,
    hasLowPriority: true,
  },
  httpThreads: 2,
  queryThreads: config.queryThreads,
  pulseMs: 200,
  shared,
  toPlan,
  createWorker(url) {
    const worker = new Worker(url, { preload: [join(import.meta.dir, 'hanging-thread.ts')] })
    workers.push({ url: url.pathname, worker })
    console.log(`starting ${url.pathname}`)
    return worker
  },
  log,
  onRestartLimit: () => process.exit(1),
})
await threads.ready
console.log('ready')
for await (const line of console) {
  if (line === 'stop') {
    const isClean = await threads.stop()
    await log.flush()
    process.exit(isClean ? 0 : 1)
  }
  const [name = '', hang, word] = line.split(' ').reverse()
  const worker = workers.findLast(({ url }) => url.includes(name))?.worker
  if (word === 'hang') worker?.postMessage({ is: 'hang', hang })
  else worker?.terminate()
}
