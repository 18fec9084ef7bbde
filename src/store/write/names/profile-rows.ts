import { parseJsonText } from '../../../record/json.ts'
import {
  emptyProfile,
  isProfile,
  type ProfileChanges,
  type ProfileFields,
  profileNames,
  toChangedProfile,
} from '../../../record/profile.ts'
import type { StoredProfile } from '../../../record/query/vocabulary.ts'
import { toLater } from '../../../record/timestamp.ts'
import type { Database } from '../../database.ts'
import { createFieldVersions, type FieldAuthorship, type FieldVersionRow, toFieldsTag } from '../field-versions.ts'

/** What publishers say of speakers. A speaker whose profile nobody has changed has no version. */
export interface ProfileRows {
  find(id: number): Promise<StoredProfile>
  /** Adds a version, unless nothing changes. */
  update(id: number, changes: ProfileChanges, authorship: FieldAuthorship): Promise<StoredProfile>
}

export function createProfileRows(db: Database): ProfileRows {
  const versions = createFieldVersions(db, 'speaker')
  const find = async (id: number) => toStoredProfile(await versions.findNewest(id))
  return {
    find,
    async update(id, changes, authorship) {
      const before = await find(id)
      const fields = { ...before.fields, ...changes }
      const changed = toChangedProfile(before.fields, fields)
      if (changed.length === 0) return before
      const at = before.updated === null ? authorship.at : toLater(before.updated, authorship.at)
      versions.insert(id, before.version + 1, changed, toProfileBody(fields), { ...authorship, at })
      return find(id)
    },
  }
}

export function toStoredProfile(row: FieldVersionRow | null): StoredProfile {
  if (row === null) return { version: 0, versionTag: null, updated: null, fields: emptyProfile }
  const { version, updated, body } = row
  // The column was written by us, or checked by the import of a dump.
  return { version, updated, versionTag: toFieldsTag(version, body), fields: JSON.parse(body) }
}

/** The fields in their declared order: ETags are computed from these bytes. */
function toProfileBody(fields: ProfileFields): string {
  return JSON.stringify(Object.fromEntries(profileNames.map((name) => [name, fields[name]])))
}

/** Null if the stored text is not a profile. */
export function parseProfileBody(body: string): ProfileFields | null {
  const value = parseJsonText(body)
  return value !== undefined && isProfile(value) ? value : null
}
