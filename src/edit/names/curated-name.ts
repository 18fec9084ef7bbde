import { Refused, requireRead } from '../../http/problem.ts'
import type { Call, Caller } from '../../http/route.ts'
import type { CategoryFields } from '../../record/category.ts'
import type { VersionTag } from '../../record/command.ts'
import { type EntryKind, toNameTag } from '../../record/name.ts'
import { isIdText } from '../../record/query/parameter.ts'
import type { CategoryHead, StoredProfile } from '../../record/query/vocabulary.ts'
import { isSlug } from '../../record/text/slug.ts'
import { toLf } from '../../record/text/typed-text.ts'
import { openSite, type Site, type SiteDeps } from '../../site/site.ts'
import { type UrlParameters, withParameters } from '../../site/urls.ts'
import { requireCaller } from '../edit-page.tsx'

/** A speaker, tag or category as its page shows it. */
export interface CuratedName {
  readonly kind: EntryKind
  /** The id of a speaker or tag, the slug of a category: its key in URLs and forms. */
  readonly key: string
  readonly slug: string
  readonly name: string
  /** Of its records, drafts included. */
  readonly count: number
  readonly live: number
  readonly aliases: readonly string[]
  /** For the preconditions of changes. */
  readonly versionTag: VersionTag
  /** Null unless it is a category. */
  readonly fields: CategoryFields | null
  /** The profile of a speaker; null for others. */
  readonly profile: StoredProfile | null
}

/** Null if it does not exist or no record has it. A merged name gives its target, with the target's key (decision 52). */
export function findCurated(deps: SiteDeps, kind: EntryKind, key: string): Promise<CuratedName | null> {
  return kind === 'category' ? findCategory(deps, key) : findNamed(deps, kind, key)
}

/** Whether a form still shows this name. Browsers send every line break as `\r\n`. */
export function isShownAs({ name }: Pick<CuratedName, 'name'>, sent: string | null): boolean {
  return sent !== null && toLf(sent) === toLf(name)
}

/** The work list of its talks. */
export function toListParameters({ kind, key }: Pick<CuratedName, 'kind' | 'key'>): UrlParameters {
  return { [kind === 'category' ? 'category' : `${kind}_id`]: key }
}

/** The name of the same list, for the editor. */
export function toListText(name: Pick<CuratedName, 'kind' | 'key'>): string {
  return withParameters('', toListParameters(name)).slice(1)
}

/** What every page about one name needs. */
export interface NameFrame {
  readonly site: Site
  readonly caller: Caller
  readonly name: CuratedName
}

/** Refuses the request if there is no such name. A merged name gives its target. */
export async function openName(call: Call, deps: SiteDeps, kind: EntryKind, key: string): Promise<NameFrame> {
  const site = await openSite(call, deps)
  const caller = requireCaller(call)
  const name = await findCurated(deps, kind, key)
  if (name === null) throw new Refused({ code: kind === 'category' ? 'no_such_category' : 'no_such_name' })
  return { site, caller, name }
}

async function findNamed({ store }: SiteDeps, kind: 'speaker' | 'tag', key: string): Promise<CuratedName | null> {
  if (!isIdText(key)) return null
  const id = Number(key)
  const found = requireRead(await store.findName({ kind, id, visibility: 'all', hasAliases: true }))
  if (found === null) return null
  const live = requireRead(await store.findName({ kind, id: found.id, visibility: 'live' }))
  const { name, slug, count, aliases = [] } = found
  return {
    ...{ kind, key: String(found.id), slug, name, count, aliases },
    live: live?.id === found.id ? live.count : 0,
    versionTag: toNameTag(found, found.profile?.versionTag ?? null),
    fields: null,
    profile: found.profile,
  }
}

async function findCategory({ store }: SiteDeps, key: string): Promise<CuratedName | null> {
  if (!isSlug(key)) return null
  const found = requireRead(await store.findCategory({ slug: key, visibility: 'all' }))
  if (found === null) return null
  const { slug, title } = found.row
  const query = { kind: 'category', slug, prefix: '', initial: null, order: 'name', page: 1, pageSize: 1 } as const
  const [line] = requireRead(await store.listNameLines(query)).lines
  return {
    ...{ kind: 'category', key: slug, slug, name: title, count: found.count },
    live: line?.live ?? 0,
    aliases: line?.aliases ?? [],
    versionTag: found.versionTag,
    fields: toFields(found.row),
    profile: null,
  }
}

function toFields({ slug: _, added: __, ...fields }: CategoryHead): CategoryFields {
  return fields
}
