import type { Database } from '../database.ts'
import type { StoreProblem } from '../maintain/check/problem.ts'
import { blockSize } from './postings.ts'

type Found = { readonly id: number; readonly name: string }

/** Transcripts with words. */
const transcripts = `companion_trait AS had WHERE trait >= 'transcript:' AND trait < 'transcript;'`
const isDue = (table: string) =>
  `EXISTS (SELECT 1 FROM moment_due AS due WHERE due.record_id = ${table}.record_id AND due.name = ${table}.name)`

/** Transcripts whose current content is neither indexed nor queued. */
const missingSql = `SELECT had.record_id AS id, had.name FROM ${transcripts} AND NOT ${isDue('had')}
  AND NOT EXISTS (SELECT 1 FROM moment_transcript AS indexed WHERE indexed.record_id = had.record_id
    AND indexed.name = had.name AND version = (SELECT max(number) FROM companion
      WHERE companion.record_id = had.record_id AND companion.name = had.name)) ORDER BY 1, 2`

const extraSql = `SELECT record_id AS id, name FROM moment_transcript AS indexed WHERE NOT ${isDue('indexed')}
  AND NOT EXISTS (SELECT 1 FROM ${transcripts} AND had.record_id = indexed.record_id AND had.name = indexed.name)
  ORDER BY 1, 2`

const twiceSql = `SELECT record_id AS id, name FROM moment_transcript
  GROUP BY record_id, name HAVING count(*) > 1 ORDER BY 1, 2`

/** Blocks with transcripts and without words, or the other way round. Reads no word: there may be millions. */
const emptySql = `SELECT DISTINCT number / ${blockSize} AS block FROM moment_transcript AS indexed
  WHERE length(slices) > 0 AND NOT EXISTS (SELECT 1 FROM moment_posting WHERE block = indexed.number / ${blockSize})`
const strayWordsSql = `SELECT block FROM moment_posting
  WHERE block > coalesce((SELECT max(number) / ${blockSize} FROM moment_transcript), -1) LIMIT 1`

/** Checks which transcripts are indexed, and at which version. */
export async function* checkMoments(db: Database): AsyncGenerator<StoreProblem> {
  for await (const { id, name } of db.query<Found, []>(missingSql).iterate())
    yield { id, what: `the index of transcripts lacks its ${name}` }
  for await (const { id, name } of db.query<Found, []>(extraSql).iterate())
    yield { id, what: `the index of transcripts has its ${name}, which does not exist` }
  for await (const { id, name } of db.query<Found, []>(twiceSql).iterate())
    yield { id, what: `the index of transcripts has its ${name} twice` }
  for (const sql of [emptySql, strayWordsSql])
    for (const { block } of await db.query<{ block: number }, []>(sql).all())
      yield { id: null, what: `block ${block} of the index of transcripts does not match its transcripts` }
}
