import type { WritableName } from '../../record/fields.ts'
import type { JsonValue } from '../../record/json/json-value.ts'
import type { Changes } from '../../record/record.ts'
import type { Database } from '../database.ts'
import type { NameTable } from '../write/names/retired-names.ts'
import type { MappedName } from './imported-talk.ts'

/**
 * The names that this store has for those of a source: of renamed categories, and of aliases (decision 52). An alias stays one for imports even if people have
 * written it again: the source has the old name for as long as nobody corrects it there.
 */
export interface ImportNames {
  /** Call within each transaction: people may have merged names since the last one. */
  load(): Promise<void>
  /** The value of a field with the names that this store has. */
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
const toAliasSql = (table: NameTable, name: 'name' | 'title') => `
  WITH RECURSIVE chain (alias, id, target) AS (
    SELECT ${name}, id, merged_into FROM ${table} WHERE merged_into IS NOT NULL
    UNION SELECT alias, ${table}.id, merged_into FROM ${table} JOIN chain ON ${table}.id = chain.target
  ) SELECT alias, ${name} AS current FROM chain JOIN ${table} ON ${table}.id = chain.id WHERE target IS NULL`

export function createImportNames(db: Database, toTitle: (title: string) => string): ImportNames {
  const prepare = (table: NameTable, name: 'name' | 'title') =>
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
