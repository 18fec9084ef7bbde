import { expect, test } from 'bun:test'
import { runRostrum } from '../cli/store-command.ts'
import { startServer } from '../harness/server.ts'
import { ask } from './connection.ts'
import { createRecordClient, toWritten } from './record-client.ts'

test('the doctor finds nothing wrong with a store that is being written, and rebuilds none that is served', async () => {
  const server = await startServer()
  try {
    const client = createRecordClient((...request) => ask(server.port, ...request), server.adminKey)
    const words = (number: number) => ({
      title: `Talk ${number}`,
      speakers: [`S ${number % 7}`],
      tags: [`t${number % 5}`],
    })
    for (let number = 0; number < 40; number++) toWritten(await client.create(words(number)))
    const headers = { Authorization: `Token ${server.adminKey}`, 'Content-Type': 'application/json' }
    expect(await ask(server.port, 'PATCH', '/api/v2/category/faults', headers, '{"title":"Renamed"}')).toMatchObject({
      status: 200,
    })
    toWritten(await client.patch(3, { title: 'Another' }))
    expect(await ask(server.port, 'POST', '/api/v2/batches/1/undo', headers)).toMatchObject({ status: 200 })
    const check = runRostrum('doctor', '--db', server.db)
    let isRunning = true
    void check.finally(() => {
      isRunning = false
    })
    for (let number = 0; isRunning && number < 5_000; number++) {
      toWritten(
        await client.put((number % 40) + 1, { ...words(number), state: 1 + (number % 2), summary: `s ${number}` }),
      )
    }
    expect(await check).toMatchObject({ exitCode: 0, stdout: '' })
    const refused = await runRostrum('doctor', '--rebuild', '--db', server.db)
    expect(refused.exitCode).toBe(69)
    expect(refused.stderr).toMatch(/being served.*Stop/)
  } finally {
    await server.stop()
  }
})
