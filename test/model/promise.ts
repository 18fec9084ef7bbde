import { expect } from 'bun:test'
import { isWritableName, writableNames } from '../../src/record/fields.ts'
import type { VideoRecord } from '../../src/record/record.ts'
import type { FeedEntry, StoredVersion } from '../../src/store/change-log.ts'
import type { Engine } from './engine.ts'

/** What holds in any engine by itself, whatever was asked of it. */
export async function expectPromises(engine: Engine): Promise<void> {
  const { records } = await engine.counts()
  const histories: StoredVersion[][] = []
  for (let id = 1; id <= records; id++) histories.push(await expectReplay(engine, id))
  await expectFeed(engine, histories)
  await expectUndone(engine, histories)
}

/** From the first version on, each differs from the one before in the fields that it names and in no other. */
async function expectReplay(engine: Engine, id: number): Promise<StoredVersion[]> {
  const lines = (await engine.history(id)).toReversed()
  expect(lines.map(({ version }) => version)).toEqual(lines.map((_, i) => i + 1))
  const versions: StoredVersion[] = []
  for (const line of lines) {
    const version = await engine.readVersion(id, line.version)
    if (version === null) throw new Error(`record ${id} has no version ${line.version}`)
    const { versionTag: mark, body, ...rest } = version
    expect(rest).toEqual(line)
    expect(mark).toBe(`${line.version}-${new Bun.CryptoHasher('sha256').update(body).digest('hex').slice(0, 8)}`)
    const before = versions.at(-1)
    if (before === undefined) expect(line.changed).toEqual(writableNames)
    else expectStep(toRecord(before), toRecord(version), line.changed)
    versions.push(version)
  }
  const current = await engine.read(id)
  expect(current?.body).toEqual(versions.at(-1)?.body)
  expect(current?.versionTag).toBe(versions.at(-1)?.versionTag)
  return versions
}

function expectStep(before: VideoRecord, after: VideoRecord, changed: readonly string[]): void {
  const differing = writableNames.filter((name) => !Bun.deepEquals(before[name], after[name]))
  expect([...changed]).toEqual(differing)
  expect(changed).not.toBeEmpty()
  const { id, slug, added } = before
  expect(after).toMatchObject({ id, slug, added })
  expect(after.updated > before.updated).toBe(true)
}

/** Every version once, each record's in order; the public hears of what is or was live, and of its end. */
async function expectFeed(engine: Engine, histories: readonly (readonly StoredVersion[])[]): Promise<void> {
  const feed = await engine.changes(true)
  expect(feed.every(({ seq }, i) => i === 0 || seq > (feed[i - 1]?.seq ?? seq))).toBe(true)
  const told = (id: number) => feed.filter((change) => change.id === id)
  for (const [i, versions] of histories.entries()) {
    expect(told(i + 1).map(({ version, details }) => ({ version, details }))).toEqual(
      versions.map(({ version, by, reason, changed }) => ({ version, details: { by, reason, fields: changed } })),
    )
  }
  expect(feed).toHaveLength(histories.flat().length)
  const isLive = ({ id, version }: FeedEntry, by = 0) => {
    const found = histories[id - 1]?.[version - 1 - by]
    return found !== undefined && toRecord(found).state === 1
  }
  for (const change of feed) expect(change.kind).toBe(toKind(change, isLive(change, 1), isLive(change)))
  const live = feed.filter((change) => isLive(change) || isLive(change, 1))
  expect(await engine.changes(false)).toEqual(live.map((change) => ({ ...change, details: null })))
}

function toKind({ version }: FeedEntry, wasLive: boolean, isLive: boolean): FeedEntry['kind'] {
  if (version === 1 || (!wasLive && isLive)) return 'created'
  return wasLive && !isLive ? 'withdrawn' : 'updated'
}

/** What an undo changed had the value that its batch had given it, and has the one that it had before the batch. */
async function expectUndone(engine: Engine, histories: readonly (readonly StoredVersion[])[]): Promise<void> {
  for (const { id: batch, undoes, records } of await engine.batches()) {
    const members = histories.filter((versions) => versions.some((version) => version.batch === batch))
    expect(members).toHaveLength(records)
    if (undoes === null) continue
    for (const versions of members) {
      const undo = versions.findIndex((version) => version.batch === batch)
      const done = versions.findIndex((version) => version.batch === undoes)
      const changed = (versions[undo]?.changed ?? []).filter(isWritableName)
      const fieldsAt = (place: number) => changed.map((name) => toFieldsAt(versions, place)[name])
      expect(fieldsAt(undo - 1)).toEqual(fieldsAt(done))
      expect(fieldsAt(undo)).toEqual(fieldsAt(done - 1))
    }
  }
}

function toFieldsAt(versions: readonly StoredVersion[], place: number): Partial<VideoRecord> {
  const version = versions[place]
  if (version === undefined) throw new Error(`there is no version at ${place}`)
  return toWritable(toRecord(version))
}

export const toRecord = ({ body }: { readonly body: Uint8Array }): VideoRecord =>
  JSON.parse(Buffer.from(body).toString('latin1'))

export function toWritable(record: VideoRecord): Partial<VideoRecord> {
  return Object.fromEntries(writableNames.map((name) => [name, record[name]]))
}
