import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { importInto, runRostrum } from '../archive/command.ts'
import { createFolder, removeFolder, type Server, startServer } from '../harness/server.ts'

// Runner: long checkout

const folder = createFolder()
const [db, patchFile] = [`${folder}/store.db`, `${folder}/patch.json`]
let server: Server | undefined
beforeAll(async () => {
  const talks = [1, 2, 3].map((i) => JSON.stringify({ category: 'Event', title: `Talk ${i}`, tags: ['old'] }))
  writeFileSync(`${folder}/talks.ndjson`, talks.join('\n'))
  writeFileSync(patchFile, '{"whiteboard": "By file"}')
  await importInto(db, `${folder}/talks.ndjson`)
  server = await startServer({ db })
}, 180_000)
afterAll(async () => {
  await server?.kill9()
  removeFolder(folder)
})

const runBulk = (...args: string[]) => runRostrum('bulk', ...args, '--db', db)

/** A record as the running server has it, once it has noticed that the file has changed. */
async function read(id: number, isSo: (record: object) => boolean): Promise<object> {
  for (let tries = 0; tries < 200; tries++) {
    const headers = { Accept: 'application/json', Authorization: `Token ${server?.adminKey}` }
    const record = Object(await (await fetch(`${server?.url}/api/v2/video/${id}`, { headers })).json())
    if (isSo(record)) return record
    await Bun.sleep(10)
  }
  throw new Error(`record ${id} did not change`)
}

describe('rostrum bulk', () => {
  test('shows in a dry run what would change, and which options to add', async () => {
    const query = ['--query', 'category=event', '--patch', '{"language": "de", "tags": {"add": ["new"]}}']
    const { exitCode, stdout } = await runBulk(...query, '--dry-run')
    expect(exitCode).toBe(0)
    expect(stdout).toContain('would change 3 of 3 records')
    expect(stdout).toContain('record 1\n  language: "" -> "German"\n  tags: ["old"] -> ["old","new"]\n')
    const advice = /--expect (\d+) --as-of (\d+)/.exec(stdout)
    expect(advice?.[1]).toBe('3')
    const done = await runBulk(...query, '--expect', '3', '--as-of', advice?.[2] ?? '', '--reason', 'Retagged')
    expect([done.exitCode, done.stdout]).toEqual([0, expect.stringContaining('Changed 3 of 3 records')])
    expect(done.stdout).toContain('/api/v2/batches/2/undo')
    await read(2, (record) => Object(record).language === 'German')
    const headers = { Authorization: `Token ${server?.adminKey}` }
    const batch = await (await fetch(`${server?.url}/api/v2/batches/2`, { headers })).json()
    expect(batch).toMatchObject({ kind: 'bulk', by: 'bulk', reason: 'Retagged', state: 'done', changed: 3 })
    const again = await runBulk(...query, '--expect', '3')
    expect([again.exitCode, again.stdout]).toEqual([0, 'Nothing to change in 3 records.\n'])
  })

  test('adds a link to records', async () => {
    const patch = '{"related": {"add": [{"url": "https://example.org/feedback", "label": "Feedback"}]}}'
    const tried = await runBulk('--ids', '2,3', '--patch', patch, '--dry-run')
    expect(tried.stdout).toContain('would change 2 of 2 records')
    expect(tried.stdout).toContain('https://example.org/feedback')
    expect((await runBulk('--ids', '2,3', '--patch', patch, '--expect', '2')).stdout).toContain('Changed 2 of 2')
    const found = await (await fetch(`${server?.url}/api/v2/video/2/related`)).json()
    expect(found).toEqual({ links: [{ url: 'https://example.org/feedback', label: 'Feedback', kind: 'other' }] })
  })

  test('accepts ids, a file, and partial changes', async () => {
    const refused = await runBulk('--ids', '1,99', '--patch-file', patchFile)
    expect([refused.exitCode, refused.stdout]).toEqual([65, expect.stringContaining('refused 99: not_found')])
    expect(refused.stdout).toContain('Nothing was changed')
    const partial = await runBulk('--ids', '1,99', '--patch-file', patchFile, '--partial')
    expect([partial.exitCode, partial.stdout]).toEqual([65, expect.stringContaining('Changed 1 of 2 records')])
    await read(1, (record) => Object(record).whiteboard === 'By file')
  })

  test('restores what an author changed', async () => {
    const by = ['--by', 'bulk', '--since', '2020-01-01', '--restore']
    const dryRun = await runBulk(...by, '--dry-run')
    expect(dryRun.stdout).toContain('would change 3 of 3 records')
    expect((await runBulk(...by, '--expect', '3')).stdout).toContain('Changed 3 of 3 records')
    expect(await read(1, (record) => Object(record).whiteboard === '')).toMatchObject({ language: '', tags: ['old'] })
  })

  /** Options, their exit code, and what the message must have. */
  const wrong: readonly (readonly [string, readonly string[], number, string])[] = [
    ['nothing', [], 64, '--ids, --query or --by'],
    ['an argument', ['7'], 64, 'takes options only'],
    ['no expect', ['--query', 'tag=old', '--patch', '{}'], 64, '--expect'],
    ['a parameter that is no filter', ['--query', 'page=2', '--patch', '{}', '--expect', '1'], 64, 'not a filter'],
    ['a wrong field', ['--ids', '1', '--patch', '{"colour": 1}'], 64, '--patch, colour: Unknown field.'],
    ['a patch that is no JSON', ['--ids', '1', '--patch', '{'], 64, '--patch: '],
    ['two patches', ['--ids', '1', '--patch', '{}', '--patch-file', patchFile], 64, 'not both'],
    ['a file that is not there', ['--ids', '1', '--patch-file', `${folder}/none`], 66, 'none'],
    ['ids that are none', ['--ids', '1,x', '--patch', '{}'], 64, '--ids: Entry 2'],
  ]
  for (const [name, args, code, text] of wrong) {
    test(`is refused for ${name}`, async () => {
      const { exitCode, stderr, stdout } = await runBulk(...args)
      expect([exitCode, stdout]).toEqual([code, ''])
      expect(stderr).toContain(text)
    })
  }

  test('changes nothing if the number of records differs', async () => {
    const { exitCode, stdout } = await runBulk('--query', 'category=event', '--patch', '{"state": 2}', '--expect', '4')
    expect([exitCode, stdout]).toEqual([65, expect.stringContaining('has 3 records, not 4')])
  })
})
