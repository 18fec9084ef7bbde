import { checkBody } from '../../../record/check-body.ts'
import { isChangedName } from '../../../record/companion/kinds.ts'
import { fields, isWritableName } from '../../../record/fields.ts'
import { isJsonObject, isNamesText, isSameJson, type JsonValue } from '../../../record/json.ts'
import { checkCompanions } from '../../companion/check-companions.ts'
import type { Database } from '../../database.ts'
import { storeIdPattern } from '../../engine.ts'
import { checkLinkUses } from '../../link/check-link-uses.ts'
import { checkMoments } from '../../moment/check-moments.ts'
import { isBatchParts } from '../../write/names/name-change.ts'
import { isBasisText, parseExtrasText } from '../dump/dump-lines.ts'
import { recordParts } from '../erase.ts'
import { checkCategories, checkMerges, checkProfiles } from './entries.ts'
import type { StoreProblem } from './problem.ts'
import { checkAliases } from './records.ts'

/** What is checked besides records, their versions and the indexes of an engine. */
export const otherChecks = [
  checkLeftovers,
  checkLog,
  checkCategories,
  checkProfiles,
  checkAliases,
  checkOrigins,
  checkMerges,
  checkCompanions,
  checkLinkUses,
  checkMoments,
  checkStoreId,
]

/** Finds rows of records that do not exist, and records that were erased. */
export async function* checkLeftovers(db: Database): AsyncGenerator<StoreProblem> {
  for (const [table, column] of recordParts) {
    const rows = db.query<{ id: number }, []>(
      `SELECT DISTINCT ${column} AS id FROM ${table} AS part
       WHERE ${column} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM record WHERE record.id = part.${column})`,
    )
    for await (const { id } of rows.iterate())
      yield { id, what: `${table} has rows of it, but there is no such record` }
  }
  const erased = db.query<{ id: number }, []>('SELECT id FROM record WHERE id IN (SELECT record_id FROM tombstone)')
  for await (const { id } of erased.iterate()) yield { id, what: 'it was erased, but still exists' }
}

/** Checks that every version is a valid record and agrees with its columns. */
async function* checkLog(db: Database): AsyncGenerator<StoreProblem> {
  const versions = db.query<{ id: number; number: number; state: number; changed: string; body: Uint8Array }, []>(
    'SELECT record_id AS id, number, state, changed, body FROM version ORDER BY seq',
  )
  for await (const { id, number, state, changed, body } of versions.iterate()) {
    if (!isNamesText(changed, isChangedName)) yield { id, what: `the changed fields of version ${number} are damaged` }
    const judged = checkBody(body)
    if (!judged.ok) yield { id, what: `of version ${number} ${judged.problem}` }
    else if (judged.record.state !== state) yield { id, what: `the state of version ${number} differs from its bytes` }
  }
  yield* checkBatches(db)
  const renames = db.query<{ id: number; names: string }, []>(
    'SELECT id, names FROM batch WHERE names IS NOT NULL ORDER BY id',
  )
  for await (const { id, names } of renames.iterate()) {
    if (!isBatchParts(names)) yield { id: null, what: `the changed names of batch ${id} are damaged` }
  }
}

export async function* checkBatches(db: Database): AsyncGenerator<StoreProblem> {
  const batches = db.query<{ id: number; records: number; found: number }, []>(
    `SELECT id, records, found FROM (
       SELECT id, records, (SELECT count(DISTINCT record_id) FROM version WHERE batch = batch.id) AS found FROM batch
     ) AS counted WHERE records <> found`,
  )
  for await (const { id, records, found } of batches.iterate()) {
    yield { id: null, what: `batch ${id} says that it changed ${records} records, but has versions of ${found}` }
  }
}

/** Without an id, followers of the feed cannot tell this store from another (decision 37). */
async function* checkStoreId(db: Database): AsyncGenerator<StoreProblem> {
  const ids = await db.query<{ id: string }, []>('SELECT id FROM store').all()
  const isGood = ids.length === 1 && ids.every(({ id }) => storeIdPattern.test(id))
  if (!isGood)
    yield { id: null, what: 'it has no id by which followers can recognise it; create one with: rostrum store new-id' }
}

/** Checks the data of imports: the last values of each source, which the next import compares with, and the extras. */
async function* checkOrigins(db: Database): AsyncGenerator<StoreProblem> {
  const origins = db.query<{ id: number; path: string; imported: string | null }, []>(
    `SELECT record_id AS id, path, imported FROM origin
     UNION ALL SELECT record_id, path, imported FROM origin_alias ORDER BY 1`,
  )
  for await (const { id, path, imported } of origins.iterate()) {
    const problem = imported === null ? null : findDamage(imported)
    if (problem !== null) yield { id, what: `the values of its last import from ${JSON.stringify(path)} ${problem}` }
  }
  type Kept = { readonly id: number; readonly body: Uint8Array; readonly basis: Uint8Array }
  const extras = db.query<Kept, []>('SELECT record_id AS id, body, basis FROM extras ORDER BY 1')
  for await (const { id, ...kept } of extras.iterate()) if (!isWhole(kept)) yield { id, what: 'its extras are damaged' }
  const categories = db.query<Omit<Kept, 'id'> & { readonly path: string }, []>(
    'SELECT path, body, basis FROM category_origin ORDER BY source, path',
  )
  for await (const { path, ...kept } of categories.iterate()) {
    if (!isWhole(kept)) yield { id: null, what: `the extras of the category ${JSON.stringify(path)} are damaged` }
  }
}

function findDamage(text: string): string | null {
  const values = parseExtrasText(text)
  if (!isJsonObject(values)) return 'are damaged'
  const wrong = Object.entries(values).find(([name, value]) => !isStored(name, value))
  return wrong === undefined ? null : `are damaged: ${JSON.stringify(wrong[0])}`
}

function isStored(name: string, value: JsonValue): boolean {
  const parsed = isWritableName(name) ? fields[name].kind.parse(value) : null
  return parsed?.ok === true && isSameJson(parsed.value, value)
}

function isWhole({ body, basis }: { readonly body: Uint8Array; readonly basis: Uint8Array }): boolean {
  return isJsonObject(parseExtrasText(Buffer.from(body).toString())) && isBasisText(Buffer.from(basis).toString())
}
