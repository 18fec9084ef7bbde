import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toPrintable, toPrintableLines } from '../../src/record/text/printable.ts'
import { withFolder } from '../faults/scratch.ts'
import { type Ended, importInto, runRostrum } from './command.ts'
import { startOldServer } from './old-server.ts'
import { writeTalk } from './talk-files.ts'

const evil = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e'

/** Line ends are our own. */
const hostile = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/

function expectPlain({ stdout, stderr }: Ended): void {
  expect([hostile.exec(stdout)?.[0], hostile.exec(stderr)?.[0]]).toEqual([undefined, undefined])
}

test('names and values of any length do not flood the terminal, and the report has them whole', () =>
  withFolder(async (folder) => {
    const [name, file] = ['x'.repeat(1_000_000), join(folder, 'long.ndjson')]
    writeFileSync(file, JSON.stringify({ title: 'A', category: 'C', [name]: 1, language: name }))
    const { stdout, report } = await importInto(join(folder, 'a.db'), file)
    expect(stdout.length).toBeLessThan(5_000)
    expect(report.unfit.map(({ field }) => field)).toContain(name)
  }))

describe('No control character reaches a terminal', () => {
  test('from names of files and events, and their values', () =>
    withFolder(async (folder) => {
      const talks = join(folder, 'talks')
      writeTalk(talks, `event${evil}/category.json`, { title: 5 })
      writeTalk(talks, `event${evil}/videos/a\n1 created.json`, { title: ' ' })
      writeTalk(talks, 'event/videos/b.json', { title: 'B', language: evil, recorded: evil })
      writeTalk(talks, `event/videos/c${evil}.json`, { title: 'C', duration: 'x' })
      const ended = await importInto(join(folder, 'a.db'), talks)
      expectPlain(ended)
      expect(ended.stdout).toContain('\\u001b[2J')
      expect(ended.stdout).toContain('a\\u000a1 created.json')
      expect(ended.report.refused.map(({ file }) => file)).toContain(`event${evil}/videos/a\n1 created.json`)
    }))

  test('from fields and messages of a server', () =>
    withFolder(async (folder) => {
      const results = [{ title: 'A', category: 'C', [`x${evil}`]: 1, language: evil }]
      const server = startOldServer([], 1, (_url, asked) =>
        asked === 1
          ? Response.json({ results, next: `/api/v2/video/?page=2&x=${evil}` })
          : new Response('', { status: 302, headers: { Location: '/\u009b31mx' } }),
      )
      expectPlain(await importInto(join(folder, 'a.db'), server.url))
      server.stop()
    }))

  test.each<string[]>([
    ['import', `/nowhere/${evil}`],
    [`comm${evil}`],
    ['export', `--fo${evil}`],
    ['export', '--format', 'ndjson', '--out', 'x', '--db', `/nowhere/${evil}.db`],
    ['restore', `/nowhere/${evil}`, '--db', '/nowhere/x.db'],
    ['purge', evil],
    ['serve', evil],
    ['token', 'create', '--name', evil, '--role', evil, '--db', `/nowhere/${evil}.db`],
    ['migrate-store', evil, evil],
    ['doctor', '--db', `/nowhere/${evil}`],
    ['backup', `/nowhere/${evil}`, '--db', `/nowhere/${evil}`],
  ])('from the words of %j', async (...words) => {
    const ended = await runRostrum(...words)
    expect(ended.exitCode).not.toBe(0)
    expectPlain(ended)
  })

  test('from a file that is no store', () =>
    withFolder(async (folder) => {
      const path = join(folder, `x${evil}.db`)
      writeFileSync(path, 'no store')
      for (const command of ['doctor', 'import']) {
        const ended = await runRostrum(command, ...(command === 'import' ? [path] : []), '--db', path)
        expect(ended.exitCode).not.toBe(0)
        expectPlain(ended)
      }
    }))
})

test('texts are shown with what they have, line by line', () => {
  expect(toPrintable('Ünïcode 💡\tx\r\ny\u007f')).toBe('Ünïcode 💡\\u0009x\\u000d\\u000ay\\u007f')
  expect(toPrintableLines('a\n\tb\u001b')).toBe('a\n\tb\\u001b')
})
