import { hasRole, type LinksCommand } from '../../record/command.ts'
import { fromBody } from '../../record/json/body-bytes.ts'
import { isSameJson } from '../../record/json/json-value.ts'
import { linksKey, toLinksTag, withLinks } from '../../record/links.ts'
import { type Timestamp, toLater } from '../../record/timestamp.ts'
import type { Outcome } from '../store.ts'
import type { RecordRows } from './record-rows.ts'

const live = 1

/** Changes the links of a talk. The version that tells of it has the fields of the one before (ADR 63). */
export async function setLinks(rows: RecordRows, command: LinksCommand, at: Timestamp): Promise<Outcome> {
  const { id, author, links, base, reason = null } = command
  const stored = await rows.read(id)
  if (stored === null) return { is: 'refused', refusal: { code: (await rows.isErased(id)) ? 'gone' : 'not_found' } }
  if (stored.state === live && !hasRole(author.role, 'publisher'))
    return { is: 'refused', refusal: { code: 'live_is_for_publishers' } }
  const extras = await rows.extras.find(id)
  const now = extras?.values[linksKey]
  if (toLinksTag(now) !== base) return { is: 'refused', refusal: { code: 'stale' } }
  if (isSameJson(now ?? [], [...links])) return { is: 'unchanged', stored }
  if (command.isDryRun) return { is: 'dry run', body: stored.body }
  rows.extras.save(id, withLinks(extras, links, { at, by: author.name, reason }))
  const record = fromBody(stored.body)
  const version = {
    ...{ before: stored, author: author.name, reason: toVersionReason(reason), batch: null, changed: [] },
    record: { ...record, updated: toLater(record.updated, at) },
  }
  return { is: 'stored', stored: await rows.store(version), changed: [] }
}

const maxReason = 500

/** History shows no changed field, so the reason says what the version is about. */
function toVersionReason(reason: string | null): string {
  const text = reason === null ? 'Related links' : `Related links: ${reason}`
  return [...text].slice(0, maxReason).join('')
}
