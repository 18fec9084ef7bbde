import { expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { detectFormat } from '../../src/archive/detect-format.ts'
import { dumpStart } from '../../src/store/maintain/dump/dump-export.ts'
import { withFolder } from '../faults/scratch.ts'
import { runRostrum } from './command.ts'

async function recogniseText(text: string) {
  return await withFolder(async (folder) => {
    const file = join(folder, 'source')
    writeFileSync(file, text)
    return detectFormat(file, dumpStart)
  })
}

test.each(['[', '{', dumpStart])('%s is recognised after any number of spaces', async (start) => {
  for (const count of [0, 1, 4_095, 4_096, 4_100, 100_000]) {
    const recognised = await recogniseText(`${'\n'.repeat(count)}${start}`)
    expect({ count, ...recognised }).toMatchObject({ count, ok: true })
    expect({ count, isDump: 'dump' in recognised }).toEqual({ count, isDump: start === dumpStart })
  }
})

test.each(['[]', '{}', 'a'])('a byte order mark before %s is recognised', async (text) => {
  const problem = expect.stringMatching(/begins with a byte order mark/)
  expect(await recogniseText(`\ufeff${text}`)).toEqual({ ok: false, problem })
})

test('a file of spaces only is not JSON', async () => {
  expect(await recogniseText(' '.repeat(10_000))).toMatchObject({ ok: false })
})

test('a pipe is refused without waiting for it, since it can be read only once', async () => {
  await withFolder(async (folder) => {
    const pipe = join(folder, 'pipe')
    expect(Bun.spawnSync(['mkfifo', pipe]).exitCode).toBe(0)
    const { exitCode, stderr } = await runRostrum('import', pipe, '--db', join(folder, 'a.db'))
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 66, stderr: expect.stringContaining('not a regular file') })
    expect(existsSync(join(folder, 'a.db'))).toBe(false)
  })
})
