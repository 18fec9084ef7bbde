import type { PickKind } from '../../record/query/names.ts'
import type { VideoRecord } from '../../record/record.ts'
import { toFolded } from '../../record/text/fold.ts'
import type { ReadStore } from '../../store/store.ts'

/** A speaker, tag or event that no talk has but the one that is edited. */
export interface NewName {
  readonly kind: PickKind
  readonly name: string
  /** The slug of an event that is stored. */
  readonly slug?: string
}

/** An event matters most: a mistyped one moves the talk. */
const kinds: readonly PickKind[] = ['category', 'speaker', 'tag']
/** Names are looked up one by one; of more than this many, the first count. */
const maxNames = 20
/** Names that differ only in case and accents are found together. */
const maxSame = 10
/** Events whose titles begin alike. */
const maxEvents = 50

/** Names that a change would make. `before` is null for a new talk. */
export async function findNewNames(
  store: ReadStore,
  before: VideoRecord | null,
  after: VideoRecord,
): Promise<readonly NewName[]> {
  const found: NewName[] = []
  for (const { kind, name } of listAdded(before, after)) {
    const picked = await pickSame(store, kind, name)
    if (picked !== null && !picked.some(({ text, alias }) => text === name || alias === name))
      found.push({ kind, name })
  }
  return found
}

/** Names that the version `after` of a talk has made: no other talk has them. */
export async function findMadeNames(
  store: ReadStore,
  before: VideoRecord | null,
  after: VideoRecord,
): Promise<readonly NewName[]> {
  const found: NewName[] = []
  for (const { kind, name } of listAdded(before, after)) {
    const picked = await pickSame(store, kind, name)
    if (picked?.some(({ text, count }) => text === name && count === 1) !== true) continue
    const slug = kind === 'category' ? await findMadeSlug(store, after) : undefined
    if (slug !== null) found.push({ kind, name, ...(slug === undefined ? {} : { slug }) })
  }
  return found
}

function listAdded(before: VideoRecord | null, after: VideoRecord): NewName[] {
  return kinds
    .flatMap((kind) => {
      const known = before === null ? [] : toNames(before, kind)
      return toNames(after, kind)
        .filter((name) => !known.includes(name))
        .map((name) => ({ kind, name }))
    })
    .slice(0, maxNames)
}

function toNames({ category, speakers, tags }: VideoRecord, kind: PickKind): readonly string[] {
  return { category: [category], speaker: speakers, tag: tags }[kind]
}

/** Null if the store failed: what is said about names is no reason to refuse a page. */
async function pickSame(store: ReadStore, kind: PickKind, name: string) {
  const picked = await store.pickNames({ kind, prefix: toFolded(name), limit: maxSame })
  return typeof picked === 'string' ? null : picked
}

/** The slug of the talk's event, if this version has made it; an event without talks may have been there before. */
async function findMadeSlug(store: ReadStore, { category, updated }: VideoRecord): Promise<string | null> {
  const prefix = toFolded(category)
  const paging = { order: 'name', page: 1, pageSize: maxEvents } as const
  const found = await store.listVocabulary({ kind: 'category', visibility: 'all', prefix, ...paging })
  if (typeof found === 'string') return null
  const isMade = (row: (typeof found.rows)[number]) =>
    'title' in row && row.title === category && row.added === updated ? [row.slug] : []
  return found.rows.flatMap(isMade)[0] ?? null
}
