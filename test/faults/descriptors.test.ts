import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { program } from '../harness/program.ts'
import { type Connection, connect } from './connection.ts'
import { withFolder } from './scratch.ts'

// Runner: long (hundreds of connections)

/** Some forty are the service's own. */
const limit = 128
const key = 'descriptor-tests-admin-key_0123456789'

/** A service that may open only so many files and connections. */
async function startLimited(folder: string) {
  const command = [program, 'serve', '--port', '0', '--threads', '1', '--db', join(folder, 'records.db'), '--sample']
  const child = Bun.spawn(['sh', '-c', `ulimit -n ${limit}; exec "$0" "$@"`, ...command], {
    env: { ...process.env, ROSTRUM_ADMIN_TOKEN: key },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [said, logged] = ['', '']
  const decoder = new TextDecoder()
  void (async () => {
    for await (const chunk of child.stdout) said += decoder.decode(chunk)
  })()
  void (async () => {
    for await (const chunk of child.stderr) logged += decoder.decode(chunk)
  })()
  const portOf = () => Number(/serves http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1])
  for (let i = 0; i < 400 && !(logged.includes('"serving"') && portOf() > 0); i++) await Bun.sleep(50)
  const stop = async () => {
    child.kill('SIGTERM')
    return await child.exited
  }
  return { port: portOf(), readLog: () => logged, stop }
}

test('idle connections are closed to make room for others, and a warning is logged', async () => {
  await withFolder(async (folder) => {
    const { port, readLog, stop } = await startLimited(folder)
    const connections: Connection[] = []
    try {
      // One after the other, each kept open: without room for more, the next would wait for half a minute.
      for (let i = 0; i < 2 * limit; i++) {
        const connection = await connect(port)
        connections.push(connection)
        expect((await connection.send('GET', '/api/v2/video/1')).status).toBe(200)
      }
      expect(readLog()).toContain('file descriptors low')
      const { status } = await (await connect(port)).send(
        'PATCH',
        '/api/v2/video/1',
        { Authorization: `Token ${key}`, 'Content-Type': 'application/json' },
        '{"whiteboard":"crowded"}',
      )
      expect(status).toBe(200)
      expect(readLog().split('file descriptors low').length).toBeLessThanOrEqual(3)
    } finally {
      for (const connection of connections) connection.close()
      expect(await stop()).toBe(0)
    }
  })
}, 180_000)
