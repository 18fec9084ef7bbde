import { type BulkCommand, hasRole, type Refusal } from '../../../record/command.ts'
import { linksField, linksKey } from '../../../record/links.ts'
import type { BatchKind, Difference } from '../../change-log.ts'
import type { BatchNote } from '../batch/new-batch.ts'
import type { RecordRows } from '../record-rows.ts'
import type { Judgement } from './judge.ts'

export const toBulkKind = ({ request }: BulkCommand): BatchKind => (request.work.is === 'restore' ? 'restore' : 'bulk')

const roleProblems = ['live_is_for_publishers', 'publishing_is_for_publishers']

/** Why nothing was changed, with every record that refuses: 403 if a higher role could change one of them. */
export function toRefusal({ author }: BulkCommand, notes: readonly BatchNote[]): Refusal {
  const refused = notes.filter(({ kind }) => kind === 'refused').map(({ id, why }) => ({ id, problem: why }))
  const isRole = !hasRole(author.role, 'publisher') && refused.some(({ problem }) => roleProblems.includes(problem))
  return { code: isRole ? 'records_for_publishers' : 'records_refused', more: { refused } }
}

export async function toDifference(
  rows: RecordRows,
  id: number,
  { before, after, changed, links }: Extract<Judgement, { is: 'accepted' }>,
): Promise<Difference> {
  const fields = Object.fromEntries(changed.map((name) => [name, { before: before[name], after: after[name] }]))
  if (links === null) return { id, fields }
  const now = (await rows.extras.find(id))?.values[linksKey] ?? []
  return { id, fields: { ...fields, [linksField]: { before: now, after: links } } }
}

/** Tells two selections apart that have the same number of records. */
export function toIdsHash(ids: readonly number[]): string {
  return new Bun.CryptoHasher('sha256').update(ids.join()).digest('base64url')
}
