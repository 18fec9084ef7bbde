import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { recognise } from '../../src/archive/recognise.ts'
import { dumpStart } from '../../src/store/sql/dump-export.ts'
import { withFolder } from '../faults/scratch.ts'

async function recogniseText(text: string) {
  return await withFolder(async (folder) => {
    const file = join(folder, 'source')
    writeFileSync(file, text)
    return recognise(file, dumpStart)
  })
}

test.each(['[', '{', dumpStart])('%s is found behind any number of spaces', async (start) => {
  for (const count of [0, 1, 4_095, 4_096, 4_100, 100_000]) {
    const recognised = await recogniseText(`${'\n'.repeat(count)}${start}`)
    expect({ count, ...recognised }).toMatchObject({ count, ok: true })
    expect({ count, isDump: 'dump' in recognised }).toEqual({ count, isDump: start === dumpStart })
  }
})

test.each(['[]', '{}', 'a'])('a byte order mark before %s is told as what it is', async (text) => {
  const problem = expect.stringMatching(/begins with a byte order mark/)
  expect(await recogniseText(`\ufeff${text}`)).toEqual({ ok: false, problem })
})

test('nothing but spaces is no JSON', async () => {
  expect(await recogniseText(' '.repeat(10_000))).toMatchObject({ ok: false })
})
