import type { WritableName } from '../../record/fields.ts'
import type { JsonValue } from '../../record/json-value.ts'
import type { VideoRecord } from '../../record/record.ts'
import type { ImportedTalk } from '../import.ts'
import type { Database } from './database.ts'
import type { Origin } from './origin-rows.ts'
import type { Rows } from './rows.ts'
import { createVersionLog, type LoggedVersion } from './version-log.ts'

/** What a record was when people here began to change it. Nothing is read before it is asked for. */
export interface ImportBase {
  /** What the last import gave the field; undefined where no import ever gave it anything. */
  of(name: WritableName): JsonValue | undefined
  /** Whether an import's word on the field was undone, and nobody has touched the record since. */
  isUndone(name: WritableName): boolean
  /** Whether the field is as an import has left it, by the log. */
  isOfImport(name: WritableName): boolean
}

/** The parts of a talk that tell which record of this store it was exported from. */
type Exported = Pick<ImportedTalk, 'id' | 'slug' | 'updated'>

export function createImportBases(db: Database, rows: Pick<Rows, 'versions'>) {
  const log = createVersionLog(db)

  return (record: VideoRecord, origin: Origin | null, talk: Exported): ImportBase => {
    let known: readonly LoggedVersion[] | undefined
    let exported: VideoRecord | null | undefined
    const listVersions = () => {
      known ??= log.list(record.id)
      return known
    }

    /** The version that an edited export was made of, unless an import has come since. */
    function findExported(): VideoRecord | null {
      const { id, slug, updated } = talk
      if (updated === null || id !== record.id || slug !== record.slug) return null
      const number = log.findAt(record.id, updated)
      const last = origin?.version ?? listVersions().find(({ by }) => by === 'import')?.number ?? 0
      return number !== null && number > last ? rows.versions.find(record.id, number) : null
    }

    const findLast = (name: WritableName) =>
      listVersions().find(({ by, changed }) => by === 'import' && changed.includes(name))

    const isUndone = (name: WritableName) => {
      const others = listVersions().filter(({ by }) => by !== 'import')
      const touched = others.findIndex(({ by }) => by === 'people')
      const undone = touched < 0 ? others : others.slice(0, touched)
      return undone.some(({ changed }) => changed.includes(name))
    }

    return {
      isUndone,
      isOfImport: (name) => listVersions().find(({ changed }) => changed.includes(name))?.by === 'import',
      of(name) {
        if (isUndone(name)) return record[name]
        if (exported === undefined) exported = findExported()
        if (exported !== null) return exported[name]
        const imported = origin?.imported[name]
        if (imported !== undefined) return imported
        const last = findLast(name)
        return last === undefined ? undefined : rows.versions.find(record.id, last.number)?.[name]
      },
    }
  }
}
