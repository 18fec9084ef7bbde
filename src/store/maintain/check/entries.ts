import { type CategoryFields, categoryNames, isCategoryName } from '../../../record/category.ts'
import { isNamesText, isSameJson } from '../../../record/json.ts'
import type { EntryKind } from '../../../record/name.ts'
import { isProfileName } from '../../../record/profile.ts'
import { toMs } from '../../../record/timestamp.ts'
import type { Database } from '../../database.ts'
import { parseCategoryBody } from '../../write/category-rows.ts'
import { parseProfileBody } from '../../write/names/profile-rows.ts'
import type { StoreProblem } from './problem.ts'

interface VersionRow {
  readonly number: number
  readonly at: string
  readonly changed: string
  readonly body: string
}

/** Checks that versions of categories have no gaps and that each row matches the newest version. */
export async function* checkCategories(db: Database): AsyncGenerator<StoreProblem> {
  const categories = db.query<CategoryFields & { id: number; slug: string }, []>(
    `SELECT id, slug, ${categoryNames.join(', ')} FROM category ORDER BY id`,
  )
  const versions = db.query<VersionRow, [number]>(
    'SELECT number, at, changed, body FROM category_version WHERE category_id = ? ORDER BY number',
  )
  for (const { id, slug, ...fields } of await categories.all()) {
    for (const what of judge({ ...fields }, await versions.all(id)))
      yield { id: null, what: `category ${slug}: ${what}` }
  }
}

/** Checks that versions of profiles of speakers have no gaps. */
export async function* checkProfiles(db: Database): AsyncGenerator<StoreProblem> {
  const rows = db.query<VersionRow & { id: number }, []>(
    'SELECT speaker_id AS id, number, at, changed, body FROM speaker_version ORDER BY speaker_id, number',
  )
  const isGood = ({ body, changed }: VersionRow) =>
    parseProfileBody(body) !== null && isNamesText(changed, isProfileName)
  for (const [id, versions] of Map.groupBy(await rows.all(), (row) => row.id)) {
    for (const what of judgeVersions(versions, isGood, 'a profile')) yield { id: null, what: `speaker ${id}: ${what}` }
  }
}

function* judgeVersions(
  versions: readonly VersionRow[],
  isGood: (version: VersionRow) => boolean,
  expected: string,
): Generator<string> {
  for (const [i, version] of versions.entries()) {
    const { number, at } = version
    if (number !== (versions[i - 1]?.number ?? 0) + 1) yield `version ${number - 1} is missing`
    if (!isGood(version)) yield `version ${number} is not ${expected}`
    if (Number.isNaN(toMs(at))) yield `version ${number} has no time`
  }
}

function* judge(fields: CategoryFields, versions: readonly VersionRow[]): Generator<string> {
  if (versions.length === 0) yield 'version 1 is missing'
  const isGood = ({ body, changed }: VersionRow) =>
    parseCategoryBody(body) !== null && isNamesText(changed, isCategoryName)
  yield* judgeVersions(versions, isGood, 'a category')
  const newest = versions.at(-1)
  if (newest === undefined) return
  const known = parseCategoryBody(newest.body)
  if (known !== null && !isSameJson(known, fields)) yield `its fields are not those of version ${newest.number}`
}

const tables: readonly EntryKind[] = ['speaker', 'tag', 'category']

/** Checks that every alias leads to an entry, and that no id of a deleted row is used again (decision 52). */
export async function* checkMerges(db: Database): AsyncGenerator<StoreProblem> {
  for (const table of tables) {
    const astray = db.query<{ id: number }, []>(toAstraySql(table))
    for await (const { id } of astray.iterate())
      yield { id: null, what: `the ${table} ${id} is an alias of a missing entry` }
    const reused = db.query<{ id: number }, []>(
      `SELECT id FROM ${table} WHERE id IN (SELECT id FROM retired_name WHERE kind = '${table}') ORDER BY id`,
    )
    for await (const { id } of reused.iterate())
      yield { id: null, what: `the ${table} ${id} has the id of one that was deleted` }
  }
}

/** Aliases whose chain does not end at an entry: it leads to a missing row, or is a loop. */
const toAstraySql = (table: EntryKind) => `
  WITH RECURSIVE good (id) AS (
    SELECT id FROM ${table} WHERE merged_into IS NULL
    UNION SELECT ${table}.id FROM ${table} JOIN good ON merged_into = good.id
  ) SELECT id FROM ${table} EXCEPT SELECT id FROM good ORDER BY id`
