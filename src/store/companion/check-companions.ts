import { anyRecord } from '../../record/companion/companion.ts'
import { type CompanionName, companionNames, isCompanionName, toKind } from '../../record/companion/kinds.ts'
import { isJsonObject, isSameJson, type JsonValue, parseJson } from '../../record/json.ts'
import type { Database } from '../database.ts'
import type { StoreProblem } from '../maintain/check/problem.ts'
import { createLookup, toChunks } from '../read/statements.ts'
import { createBulkInsert } from '../write/insert-many.ts'
import { isChecksum } from '../write/version-rows.ts'
import { currentSql, type RecordCompanionRow, toCompanionContent, toTraitRows } from './companion-rows.ts'

type SizeRow = { readonly id: number; readonly bytes: number }
/** Records with companions, with their sizes: a chunk must fit into memory, and transcripts are large. */
const sizeSql = 'SELECT record_id AS id, sum(octet_length(body)) AS bytes FROM companion GROUP BY record_id ORDER BY 1'

/** Writes what lists find companions by. */
export async function rebuildTraits(db: Database): Promise<void> {
  await db.script('DELETE FROM companion_trait')
  const insert = createBulkInsert(db, 'companion_trait', ['trait', 'record_id', 'name'])
  const lookUp = createLookup<RecordCompanionRow, number>(db, currentSql)
  for await (const chunk of toChunks(await db.query<SizeRow, []>(sizeSql).all(), ({ bytes }) => bytes)) {
    for (const row of await lookUp(chunk.map(({ id }) => id)))
      for (const trait of listTraits(row)) await insert.add(trait)
  }
  await insert.flush()
}

function listTraits(row: RecordCompanionRow) {
  const { id, name } = row
  return isCompanionName(name) ? toTraitRows(id, { name, content: toCompanionContent(name, id, row).content }) : []
}

/** Whether a kind would store it like this. */
export function isCompanionContent(name: CompanionName, content: JsonValue): boolean {
  const parsed = toKind(name).parse(content, anyRecord)
  return parsed.ok && isSameJson(parsed.content, content)
}

function findDamage({ name, checksum, body }: RecordCompanionRow): string | null {
  if (!isCompanionName(name)) return 'is of no known kind'
  if (!isChecksum(checksum, body)) return 'does not match its checksum'
  const parsed = parseJson(body)
  return parsed.ok && isJsonObject(parsed.value) && isCompanionContent(name, parsed.value) ? null : 'is damaged'
}

/** Checks that contents are whole and belong to versions, and that lists find them. */
export async function* checkCompanions(db: Database): AsyncGenerator<StoreProblem> {
  const rows = db.query<RecordCompanionRow & { changed: string | null; alone: number }, []>(
    `SELECT companion.record_id AS id, name, companion.number, alone, changed, companion.checksum, companion.body
     FROM companion LEFT JOIN version ON version.record_id = companion.record_id AND version.number = companion.number
     ORDER BY companion.record_id, companion.number`,
  )
  for await (const { changed, alone, ...row } of rows.iterate()) {
    const { id, name, number } = row
    const damage = findDamage(row)
    if (damage !== null) yield { id, what: `its companion ${name} of version ${number} ${damage}` }
    if (changed === null) yield { id, what: `its companion ${name} belongs to version ${number}, which is missing` }
    else if (alone === 1 && changed !== JSON.stringify([name]))
      yield { id, what: `version ${number} does not say that it changed ${name}` }
  }
  const lost = db.query<{ id: number; number: number }, []>(
    `SELECT record_id AS id, number FROM version WHERE (changed IN (${companionNames.map((name) => `'["${name}"]'`).join(', ')})
     OR changed LIKE '["transcripts/%') AND NOT EXISTS (SELECT 1 FROM companion WHERE companion.record_id = version.record_id
       AND companion.number = version.number AND alone = 1)`,
  )
  for await (const { id, number } of lost.iterate()) yield { id, what: `the companion of version ${number} is missing` }
  yield* checkTraits(db)
}

async function* checkTraits(db: Database): AsyncGenerator<StoreProblem> {
  const known = new Set<string>()
  const found = db.query<{ trait: string; id: number; name: string }, []>(
    'SELECT trait, record_id AS id, name FROM companion_trait',
  )
  for await (const { trait, id, name } of found.iterate()) known.add(JSON.stringify([trait, id, name]))
  const lookUp = createLookup<RecordCompanionRow, number>(db, currentSql)
  for await (const chunk of toChunks(await db.query<SizeRow, []>(sizeSql).all(), ({ bytes }) => bytes)) {
    for (const row of await lookUp(chunk.map(({ id }) => id))) {
      if (findDamage(row) !== null) continue
      for (const trait of listTraits(row))
        if (!known.delete(JSON.stringify(trait))) yield { id: row.id, what: `lists do not find it by ${trait[0]}` }
    }
  }
  for (const extra of known)
    yield { id: Number(JSON.parse(extra)[1]), what: 'lists find it by a companion that it has not' }
}
