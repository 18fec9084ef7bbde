import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { createCurator } from '../contract/curator.ts'
import { openForm, sendForm } from '../contract/editor-form.ts'
import { readChanges } from '../contract/event-stream.ts'
import { createService } from '../contract/service.ts'
import { withFolder } from '../faults/scratch.ts'
import { headerOf } from '../harness/raw.ts'
import { type Server, startServer } from '../harness/server.ts'
import { importInto, talksFolder } from './command.ts'

/** A folder of talks to try besides our own. */
const otherArchive = process.env.TEST_ARCHIVE

test(
  'opening and saving every talk of an archive in the editor makes no version',
  () => withFolder((folder) => saveAll(join(folder, 'store.db'), talksFolder)),
  120_000,
)

if (otherArchive !== undefined) {
  test(
    'the same with another archive',
    () => withFolder((folder) => saveAll(join(folder, 'store.db'), otherArchive)),
    600_000,
  )
}

async function saveAll(db: string, archive: string): Promise<void> {
  expect((await importInto(db, archive)).exitCode).toBe(0)
  const server = await startServer({ db, args: ['--threads', '1'] })
  try {
    const curator = createCurator(
      createService(
        () => server,
        () => server.adminKey,
      ),
    )
    await curator.signIn(server.adminKey)
    const versions = await readChanges(server, 0, server.adminKey)
    const ids = await listIds(server)
    expect(ids).not.toBeEmpty()
    for (const id of ids) {
      const answer = await sendForm(curator, await openForm(curator, `/edit/video/${id}`))
      expect(headerOf(answer, 'Location')).toBe(`/edit/video/${id}?unchanged=${id}`)
    }
    expect(versions.length).toBeGreaterThanOrEqual(ids.length)
    expect(await readChanges(server, 0, server.adminKey)).toEqual(versions)
  } finally {
    await server.stop()
  }
}

async function ask(server: Server, path: string) {
  const headers = { Authorization: `Token ${server.adminKey}` }
  // JSON objects, as the contract says.
  return (await (await fetch(`${server.url}/api/v2/${path}`, { headers })).json()) as Record<string, unknown>
}

async function listIds(server: Server): Promise<number[]> {
  const ids: number[] = []
  for (let page = 1; page <= 1000; page++) {
    const { results, next } = await ask(server, `video?ordering=id&fields=id&page_size=100&page=${page}`)
    ids.push(...(results as { readonly id: number }[]).map(({ id }) => id))
    if (next === null) return ids
  }
  throw new Error('too many pages')
}
