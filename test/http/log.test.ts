import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createRefusalLog } from '../../src/http/logger.ts'
import { until } from '../harness/until.ts'

describe('The log', () => {
  test('goes out in order, whole, and in few pieces', async () => {
    const child = Bun.spawn([process.execPath, join(import.meta.dir, 'log-program.ts')], { stderr: 'pipe' })
    const pieces: string[] = []
    for await (const piece of child.stderr.pipeThrough(new TextDecoderStream())) pieces.push(piece)
    expect(await child.exited).toBe(0)
    const lines = pieces
      .join('')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ event, number }) => [event, number])).toEqual([
      ...Array.from({ length: 30 }, (_, number) => ['request', number]),
      ['write failed', undefined],
    ])
    // One for each group and one for what was said at the end.
    expect(pieces.length).toBeLessThanOrEqual(4)
  })
})

describe('Refusals', () => {
  /** With a minute of some milliseconds. */
  function createLog(hasAddress: boolean) {
    const lines: Record<string, unknown>[] = []
    const log = { warn: (event: string, fields = {}) => void lines.push({ event, ...fields }) }
    const logRefusal = createRefusalLog({ log, count: () => undefined, hasAddress, everyMs: 50 })
    return { lines, logRefusal, sum: () => lines.reduce((sum, { count }) => sum + Number(count), 0) }
  }

  test('of very many addresses cost few lines, and all are counted', async () => {
    const { lines, logRefusal, sum } = createLog(true)
    for (let i = 0; i < 5_000; i++) logRefusal('token refused', `192.0.${i % 1_000}.1`)
    logRefusal('too many writes', '192.0.2.1', 'ann')
    expect(lines.length).toBeLessThanOrEqual(102)
    await until('all are counted', () => sum() === 5_001)
    expect(lines.length).toBeLessThanOrEqual(2 * 102)
    const ofSeven = { event: 'token refused', address: '192.0.7.1', by: undefined }
    expect(lines).toContainEqual({ ...ofSeven, count: 1 })
    expect(lines).toContainEqual({ ...ofSeven, count: 4 })
    expect(lines).toContainEqual(expect.objectContaining({ event: 'token refused', address: 'others' }))
  })

  test('are one line a minute for each kind without addresses', async () => {
    const { lines, logRefusal, sum } = createLog(false)
    for (let i = 0; i < 500; i++) logRefusal('sign-in refused', `192.0.2.${i % 250}`)
    logRefusal('token refused', '192.0.2.1')
    await until('all are counted', () => sum() === 501)
    expect(lines.map(({ event, address, count }) => [event, address, count])).toEqual([
      ['sign-in refused', undefined, 1],
      ['token refused', undefined, 1],
      ['sign-in refused', undefined, 499],
    ])
  })
})
