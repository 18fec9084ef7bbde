import {
  type ArchivedFields,
  archivedNames,
  type CategoryFields,
  findDateErrors,
  toArchivedFields,
} from '../../record/category.ts'
import type { WritableName } from '../../record/fields.ts'
import type { JsonObject, JsonValue } from '../../record/json.ts'
import type { EntryKind } from '../../record/name.ts'
import { emptyProfile, toProfileFilling } from '../../record/profile.ts'
import type { Changes } from '../../record/record.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type { Database } from '../database.ts'
import type { CategoryRows } from '../write/category-rows.ts'
import type { FieldAuthorship } from '../write/field-versions.ts'
import type { FilledChanges, NameChange, NameRef } from '../write/names/name-change.ts'
import type { RecordRows } from '../write/record-rows.ts'
import type { ImportedCategory, ImportedSpeaker, ImportOptions, MappedName } from './imported-talk.ts'
import type { OriginRows } from './origin-rows.ts'

/**
 * Maps names of a source to those of this store: renamed categories, and aliases (decision 52). For imports an alias
 * stays an alias even if people use the old name again: the source has it until somebody corrects it there.
 */
export interface ImportNames {
  /** Call within each transaction: people may have merged names since the last one. */
  load(): Promise<void>
  /** The value of a field with the names of this store. */
  toHere(field: WritableName, value: JsonValue | undefined): JsonValue | undefined
  toOurs(changes: Changes): Changes
  /** The names in these fields that are aliases. */
  listMapped(changes: Changes): readonly MappedName[]
}

const kinds = { category: 'category', speakers: 'speaker', tags: 'tag' } as const
type NamedField = keyof typeof kinds
const namedFields = ['category', 'speakers', 'tags'] as const

const isNamedField = (field: string): field is NamedField => Object.hasOwn(kinds, field)

/** Each alias with the name at the end of its chain. */
const toAliasSql = (table: EntryKind, name: 'name' | 'title') => `
  WITH RECURSIVE chain (alias, id, target) AS (
    SELECT ${name}, id, merged_into FROM ${table} WHERE merged_into IS NOT NULL
    UNION SELECT alias, ${table}.id, merged_into FROM ${table} JOIN chain ON ${table}.id = chain.target
  ) SELECT alias, ${name} AS current FROM chain JOIN ${table} ON ${table}.id = chain.id WHERE target IS NULL`

export function createImportNames(db: Database, toTitle: (title: string) => string): ImportNames {
  const prepare = (table: EntryKind, name: 'name' | 'title') =>
    db.query<{ alias: string; current: string }, []>(toAliasSql(table, name))
  const list = {
    category: prepare('category', 'title'),
    speakers: prepare('speaker', 'name'),
    tags: prepare('tag', 'name'),
  }
  const current = {
    category: new Map<string, string>(),
    speakers: new Map<string, string>(),
    tags: new Map<string, string>(),
  }

  function toCurrentName(field: NamedField, name: JsonValue): JsonValue {
    return typeof name === 'string' ? (current[field].get(name) ?? name) : name
  }

  function toHere(field: WritableName, value: JsonValue | undefined): JsonValue | undefined {
    const known = field === 'category' && typeof value === 'string' ? toTitle(value) : value
    if (!isNamedField(field) || known === undefined || current[field].size === 0) return known
    if (!Array.isArray(known)) return toCurrentName(field, known)
    return [...new Set(known.map((name) => toCurrentName(field, name)))]
  }

  function findMapped(field: NamedField, names: readonly string[]): MappedName[] {
    return names.flatMap((from) => {
      const to = current[field].get(from)
      return to === undefined ? [] : [{ kind: kinds[field], from, to }]
    })
  }

  return {
    async load() {
      for (const field of namedFields) {
        current[field].clear()
        for (const row of await list[field].all()) current[field].set(row.alias, row.current)
      }
    },
    toHere,
    toOurs(changes) {
      const given = namedFields.filter((field) => changes[field] !== undefined)
      return { ...changes, ...Object.fromEntries(given.map((field) => [field, toHere(field, changes[field])])) }
    },
    listMapped: ({ category, speakers = [], tags = [] }) => [
      ...findMapped('category', category === undefined ? [] : [toTitle(category)]),
      ...findMapped('speakers', speakers),
      ...findMapped('tags', tags),
    ],
  }
}

/** Imports the categories of a source. */
export interface ImportCategories {
  /**
   * A category that was renamed here keeps its title; its other fields are replaced unless people have changed them.
   * Returns the change of a category that was here before, for the undo.
   */
  add(category: ImportedCategory, at: Timestamp): Promise<NameChange | null>
  /** The title in this store of a category of the source, unless it was merged into another. */
  toTitle(title: string): string
}

export function createImportCategories(
  categories: CategoryRows,
  origins: OriginRows,
  { source, isDryRun, author, reason }: Pick<ImportOptions, 'source' | 'isDryRun' | 'author' | 'reason'>,
): ImportCategories {
  const renamed = new Map<string, string>()

  return {
    toTitle: (title) => renamed.get(title) ?? title,
    async add({ path, title, fields, extras }, at) {
      const authorship = { at, author, reason }
      const known = await origins.findCategory(source, path)
      const said = known === null ? {} : (known.basis.said as JsonObject)
      const isSame = known !== null && said.title === title
      // A dry run creates no category.
      if (!isSame && isDryRun) return null
      const isNew = !isSame && !(await categories.isTitleTaken(title))
      const categoryId = isSame ? known.categoryId : await categories.ensureCategory(title, authorship)
      const { slug, fields: now } = await categories.read(categoryId)
      if (now.title !== title) renamed.set(title, now.title)
      if (isDryRun) return null
      const after = toOurs(now, said, fields)
      await categories.update(categoryId, after, authorship)
      origins.saveCategory({ source, path, categoryId, extras })
      return isNew ? null : toFilling('category', slug, now, after)
    },
  }
}

/** The fields of a source that nobody has changed here since the last import, or that are empty here. */
function toOurs(now: CategoryFields, said: JsonObject, given: Partial<ArchivedFields>): Partial<ArchivedFields> {
  const empty = toArchivedFields({})
  const isOurs = (name: keyof ArchivedFields) => now[name] === empty[name] || now[name] === said[name]
  const names = archivedNames.filter((name) => Object.hasOwn(given, name) && given[name] !== now[name] && isOurs(name))
  const changes: Partial<ArchivedFields> = Object.fromEntries(names.map((name) => [name, given[name]]))
  if (findDateErrors({ ...now, ...changes }).size === 0) return changes
  const { start_date: _, end_date: __, ...others } = changes
  return others
}

/** A change of fields as a batch keeps it; null if nothing changed. */
function toFilling(kind: NameChange['kind'], ref: NameRef, now: JsonObject, after: FilledChanges): NameChange | null {
  const names = Object.keys(after)
  if (names.length === 0) return null
  const before: FilledChanges = Object.fromEntries(names.map((name) => [name, now[name]]))
  return { kind, exchanged: null, rows: [], filled: { slug: ref, before, after } }
}

/** Fills what nobody has said of a speaker here. Returns the change; null if there is none. */
export async function importSpeaker(
  { names, profiles }: Pick<RecordRows, 'names' | 'profiles'>,
  { name, profile }: ImportedSpeaker,
  authorship: FieldAuthorship,
): Promise<NameChange | null> {
  const found = await names.speaker.findByName(name)
  const speaker = found && (await names.speaker.findCurrent(found))
  if (speaker === null) return null
  const { fields } = await profiles.find(speaker.id)
  const after = toProfileFilling({ ...emptyProfile, ...profile }, fields)
  const change = toFilling('speaker', speaker.id, fields, after)
  if (change !== null) await profiles.update(speaker.id, after, authorship)
  return change
}
