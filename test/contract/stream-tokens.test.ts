import { afterEach, describe, expect, test } from 'bun:test'
import { createToken, revokeToken, rotateToken } from '../harness/server.ts'
import { type EventStream, openGoodStream, openStream, type StreamOptions } from './event-stream.ts'
import { useService } from './service.ts'

// Runner: long PostgreSQL, long checkout

const service = useService({ roles: ['reader'], args: ['--threads', '2', '--heartbeat', '1'] })

const opened: EventStream[] = []

afterEach(() => {
  for (const stream of opened.splice(0)) stream.close()
})

async function open(options: StreamOptions = {}): Promise<EventStream> {
  const stream = await openGoodStream(service.server(), options)
  opened.push(stream)
  return stream
}

describe('Readers whose token ends', () => {
  test('hear no more once their token is revoked, while others do', async () => {
    const key = await createToken(service.server(), 'short-lived', 'reader')
    const leaving = await Promise.all(Array.from({ length: 4 }, () => open({ key })))
    const staying = [await open(), await open({ key: service.keyOf('reader') })]
    await revokeToken(service.server(), 'short-lived')
    for (const stream of leaving) expect(await stream.waitForEnd(2_000)).toBe('ended')
    expect((await openStream(service.server(), { key })).status).toBe(401)
    await service.create()
    for (const stream of staying) expect(await stream.waitForChanges(1)).toHaveLength(1)
    expect(leaving.flatMap((stream) => stream.changes())).toEqual([])
  })

  test('hear no more when it expires, while others do', async () => {
    const expires = new Date(Date.now() + 5_000).toISOString()
    const key = await createToken(service.server(), 'guest', 'reader', '--expires', expires)
    const leaving = await Promise.all(Array.from({ length: 4 }, () => open({ key })))
    const staying = [await open(), await open({ key: service.keyOf('reader') })]
    for (const stream of leaving) expect(await stream.waitForEnd(7_000)).toBe('ended')
    expect(new Date().toISOString() >= expires).toBe(true)
    await service.create()
    for (const stream of staying) expect(await stream.waitForChanges(1)).toHaveLength(1)
    expect(leaving.flatMap((stream) => stream.changes())).toEqual([])
  })

  test('hear on when its key is replaced, and no more when it is replaced at once', async () => {
    const first = await createToken(service.server(), 'rotated', 'reader')
    const old = await open({ key: first })
    const second = await rotateToken(service.server(), 'rotated')
    await service.create()
    expect(await old.waitForChanges(1)).toHaveLength(1)
    const replaced = await open({ key: second })
    const third = await open({ key: await rotateToken(service.server(), 'rotated', '--now') })
    expect([await old.waitForEnd(2_000), await replaced.waitForEnd(2_000)]).toEqual(['ended', 'ended'])
    await service.create()
    expect(await third.waitForChanges(1)).toHaveLength(1)
  })
})
