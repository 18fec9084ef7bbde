import { CommandFailure, exitCodes } from '../../command-failure.ts'
import {
  postgresCompanions,
  postgresLinks,
  postgresTranscripts,
  sqliteCompanions,
  sqliteLinks,
  sqliteTranscripts,
} from './companions.ts'
import { plausibleMinutes, postgresCuration, postgresProfiles, sqliteCuration, sqliteProfiles } from './curation.ts'
import { postgresSchema } from './postgres.ts'
import { sqliteSchema } from './sqlite.ts'

/**
 * In order: the first creates the tables of a new store, each other changes those of the one before. The schema number
 * of a store is the number of migrations applied. Append only; never edit a released one.
 */
export const sqliteMigrations: readonly string[] = [
  sqliteSchema,
  sqliteProfiles,
  sqliteCuration,
  sqliteCompanions,
  sqliteLinks,
  sqliteTranscripts,
  plausibleMinutes,
]

/** Likewise. */
export const postgresMigrations: readonly string[] = [
  postgresSchema,
  postgresProfiles,
  postgresCuration,
  postgresCompanions,
  postgresLinks,
  postgresTranscripts,
  plausibleMinutes,
]

/** A newer program has upgraded the store beneath this one. Thrown by write transactions of both engines (decision 66). */
export class NewerSchema extends CommandFailure {
  readonly schema: number

  constructor(schema: number, known: number) {
    const found = `A newer Rostrum has upgraded the store to schema ${schema}`
    super(exitCodes.badData, `${found}; this one knows ${known}, and no longer writes. Use the newer version.`)
    this.schema = schema
  }
}

export function refuseNewerSchema(schema: number, known: number): void {
  if (schema > known) throw new NewerSchema(schema, known)
}

/**
 * Builds before the first release numbered their schemas up to 14 and 9, and marked stores in another way, so that no
 * number is taken for one of ours (decision 79). `import` reads their dumps.
 */
export const explainFormerBuild = (shown: string) =>
  `${shown} was created by a build of Rostrum from before its first release. This one cannot open it. Nothing was changed. ` +
  'With that build, run: rostrum export --format dump --out FILE. Then with this one: rostrum import FILE --db NEW, ' +
  'and create its tokens again with rostrum token create.'
