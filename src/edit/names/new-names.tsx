import type { PickKind } from '../../record/query/completion.ts'
import type { VideoRecord } from '../../record/record.ts'
import { toFolded } from '../../record/text/fold.ts'
import type { Site } from '../../site/site.ts'
import type { ReadStore } from '../../store/store.ts'

/** A speaker, tag or event that only the edited talk has. */
export interface NewName {
  readonly kind: PickKind
  readonly name: string
  /** The slug of an event that is stored. */
  readonly slug?: string
}

/** Names that a change would create. `before` is null for a new talk. */
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

/** Names that the version `after` of a talk created: no other talk has them. */
export async function findCreatedNames(
  store: ReadStore,
  before: VideoRecord | null,
  after: VideoRecord,
): Promise<readonly NewName[]> {
  const found: NewName[] = []
  for (const { kind, name } of listAdded(before, after)) {
    const picked = await pickSame(store, kind, name)
    if (picked?.some(({ text, count }) => text === name && count === 1) !== true) continue
    const slug = kind === 'category' ? await findCreatedSlug(store, after) : undefined
    if (slug !== null) found.push({ kind, name, ...(slug === undefined ? {} : { slug }) })
  }
  return found
}

const newNameLabels = { category: 'New event', speaker: 'New speaker', tag: 'New tag' } as const

/** "New speaker: Ned New", one line for each. An event that is stored links to its page. */
export function NewNameList({ site, names }: { readonly site: Site; readonly names: readonly NewName[] }) {
  if (names.length === 0) return null
  return (
    <ul class="new-names">
      {names.map(({ kind, name, slug }) => (
        <li key={`${kind} ${name}`}>
          {newNameLabels[kind]}:{' '}
          {slug === undefined ? (
            <bdi>{name}</bdi>
          ) : (
            <a href={site.urls.editName(kind, slug)}>
              <bdi>{name}</bdi>
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}

/** An event matters most: a mistyped one moves the talk. */
const kinds: readonly PickKind[] = ['category', 'speaker', 'tag']

/** Names are looked up one by one; only the first are checked. */
const maxNames = 20

/** Names that differ only in case and accents match the same lookup. */
const maxSame = 10

/** Events whose titles begin alike. */
const maxEvents = 50

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

/** Null if the store fails: a page is shown without its notice about names. */
async function pickSame(store: ReadStore, kind: PickKind, name: string) {
  const picked = await store.pickNames({ kind, prefix: toFolded(name), limit: maxSame })
  return typeof picked === 'string' ? null : picked
}

/** The slug of the talk's event, if this version created it; an event without talks may be older. */
async function findCreatedSlug(store: ReadStore, { category, updated }: VideoRecord): Promise<string | null> {
  const prefix = toFolded(category)
  const paging = { order: 'name', page: 1, pageSize: maxEvents } as const
  const found = await store.listVocabulary({ kind: 'category', visibility: 'all', prefix, ...paging })
  if (typeof found === 'string') return null
  const toCreatedSlug = (row: (typeof found.rows)[number]) =>
    'title' in row && row.title === category && row.added === updated ? [row.slug] : []
  return found.rows.flatMap(toCreatedSlug)[0] ?? null
}
