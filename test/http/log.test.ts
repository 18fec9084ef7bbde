import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'

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
