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
  test('of very many addresses cost few lines, and all are counted', async () => {
    const lines: Record<string, unknown>[] = []
    const logRefusal = createRefusalLog(
      { warn: (event, fields) => void lines.push({ event, ...fields }) },
      () => undefined,
    )
    for (let i = 0; i < 5_000; i++) logRefusal('token refused', `192.0.${i % 1_000}.1`)
    logRefusal('too many writes', '192.0.2.1', 'ann')
    await until('they are logged', () => lines.length > 0)
    expect(lines.length).toBeLessThanOrEqual(102)
    expect(lines.reduce((sum, { count }) => sum + Number(count), 0)).toBe(5_001)
    expect(lines).toContainEqual({ event: 'token refused', address: '192.0.7.1', by: undefined, count: 5 })
    expect(lines).toContainEqual(expect.objectContaining({ event: 'token refused', address: 'others' }))
  })
})
