import { hasRole, type LinksCommand, publisherRequired } from '../../record/command.ts'
import { fromBody } from '../../record/json/body-bytes.ts'
import { isSameJson, type JsonValue } from '../../record/json/json-value.ts'
import { type LinksEdit, linksKey, toLinksTag, withLinks } from '../../record/links.ts'
import { type Timestamp, toLater } from '../../record/timestamp.ts'
import type { Outcome, StoredRecord } from '../store.ts'
import type { RecordRows } from './record-rows.ts'
import type { NewVersion } from './version-rows.ts'

const live = 1

/** Changes the links of a talk. The version that tells of it has the fields of the one before (decision 63). */
export async function setLinks(rows: RecordRows, command: LinksCommand, at: Timestamp): Promise<Outcome> {
  const { id, author, links, base, reason = null } = command
  const stored = await rows.read(id)
  if (stored === null) return { is: 'refused', refusal: { code: (await rows.isErased(id)) ? 'gone' : 'not_found' } }
  if (stored.state === live && !hasRole(author.role, 'publisher'))
    return { is: 'refused', refusal: publisherRequired.toChangeLive }
  const extras = await rows.extras.find(id)
  const now = extras?.values[linksKey]
  if (toLinksTag(now) !== base) return { is: 'refused', refusal: { code: 'stale' } }
  if (isSameJson(now ?? [], [...links])) return { is: 'unchanged', stored }
  if (command.isDryRun) return { is: 'dry run', body: stored.body }
  await saveLinks(rows, id, links, { at, by: author.name, reason })
  const said = { author: author.name, reason, batch: null }
  return { is: 'stored', stored: await rows.store(toLinksVersion(stored, said, at)), changed: [] }
}

/** Without a version. */
export async function saveLinks(
  rows: RecordRows,
  id: number,
  links: readonly JsonValue[],
  made: Omit<LinksEdit, 'before'>,
): Promise<void> {
  rows.extras.save(id, withLinks(await rows.extras.find(id), links, made))
}

/** The version that tells of changed links alone. */
export function toLinksVersion(
  before: StoredRecord,
  { author, reason, batch }: Pick<NewVersion, 'author' | 'reason' | 'batch'>,
  at: Timestamp,
): NewVersion {
  const record = fromBody(before.body)
  const said = { author, reason: toVersionReason(reason), batch }
  return { before, changed: [], record: { ...record, updated: toLater(record.updated, at) }, ...said }
}

const maxReason = 500

/** History shows no changed field, so the reason says what the version is about. */
function toVersionReason(reason: string | null): string {
  const text = reason === null ? 'Related links' : `Related links: ${reason}`
  return [...text].slice(0, maxReason).join('')
}
