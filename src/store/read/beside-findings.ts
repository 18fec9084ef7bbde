import type { RecordLink } from '../../record/link/uses.ts'
import {
  type BesideCode,
  type FindingCode,
  findLinkCode,
  findTranscriptCode,
  linkCodes,
  maxOverrun,
  type TranscriptTrait,
} from '../../record/quality/finding-codes.ts'
import type { Database } from '../database.ts'
import { toFindingSql, toTroubledSql } from '../link/link-sql.ts'
import { createLookup } from './statements.ts'

/** Data for findings that neither the record nor its columns have. */
export interface Beside {
  /** Its dead and moved addresses. */
  readonly links: readonly RecordLink[]
  readonly transcripts: readonly TranscriptTrait[]
}

/** Reads the data for up to `maxLookup` records. */
export function createBesideLookup(db: Database): (ids: readonly number[]) => Promise<(id: number) => Beside> {
  const lookUpLinks = createLookup<RecordLink & { readonly id: number }, number>(db, toTroubledSql)
  const lookUpTraits = createLookup<TranscriptTrait & { readonly id: number }, number>(
    db,
    (ids) => `SELECT listing.id, name, trait, duration FROM companion_trait JOIN listing ON listing.id = record_id
      WHERE record_id IN ${ids} AND (trait LIKE 'transcript_repeats:%' OR trait LIKE 'transcript_end:%')
      ORDER BY name, trait DESC`,
  )
  return async (ids) => {
    const links = Map.groupBy(await lookUpLinks(ids), ({ id }) => id)
    const transcripts = Map.groupBy(await lookUpTraits(ids), ({ id }) => id)
    return (id) => ({ links: links.get(id) ?? [], transcripts: transcripts.get(id) ?? [] })
  }
}

export const hasBeside = ({ links, transcripts }: Beside, code: FindingCode) =>
  links.some(({ role, state }) => findLinkCode(role, state) === code) ||
  transcripts.some((trait) => findTranscriptCode(trait) === code)

const endSql = `CAST(substr(trait, ${'transcript_end:'.length + 1}, 5) AS INTEGER)`
const transcriptSql = {
  transcript_repeats: `SELECT record_id AS id FROM companion_trait
    WHERE trait >= 'transcript_repeats:' AND trait < 'transcript_repeats;'`,
  // As `findTranscriptCode` says.
  transcript_length: `SELECT record_id AS id FROM companion_trait JOIN listing ON listing.id = record_id
    WHERE trait >= 'transcript_end:' AND trait < 'transcript_end;'
      AND (2 * ${endSql} < duration OR ${endSql} > duration + ${maxOverrun})`,
}

/** Selects the ids of records with a finding. */
export function toBesideSql(code: BesideCode): string {
  const link = linkCodes.find((each) => each === code)
  if (link !== undefined) return toFindingSql(link)
  return code === 'transcript_repeats' ? transcriptSql.transcript_repeats : transcriptSql.transcript_length
}
