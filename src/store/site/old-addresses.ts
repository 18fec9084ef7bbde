import { toSlugKey } from '../../record/text/slug.ts'
import type { Database } from '../database.ts'
import type { PageRef } from '../site-reads.ts'
import type { SlowReads } from '../store.ts'

/** Bounds a read; a larger event has talks that old addresses do not lead to. */
const maxTalks = 5_000

/** Shorter beginnings are those of too many talks. */
const minBeginning = 20

interface TalkRow extends PageRef {
  /** Folded. */
  readonly title: string
  /** Of the file that it was imported from; sources name files after titles, by rules of their own for other scripts. */
  readonly path: string | null
}

/** Finds live talks of an event by what another site made of their titles (decision 83). */
export function createOldAddresses(
  db: Database,
): Pick<SlowReads, 'findTitled' | 'findByOldSlug' | 'findImportedCategory'> {
  const list = db.query<TalkRow, [string, number]>(
    `SELECT record.id, record.slug, listing.title_key AS title, origin.path FROM listing
     JOIN record ON record.id = listing.id LEFT JOIN origin ON origin.record_id = listing.id
     WHERE listing.category_id = (SELECT id FROM category WHERE slug = ?) AND listing.state = 1
     ORDER BY listing.id LIMIT ?`,
  )
  const findFile = db.query<{ source: string; path: string }, [string]>(
    `SELECT source, path FROM category_origin JOIN category ON category.id = category_id WHERE slug = ? LIMIT 1`,
  )
  const listCategories = db.query<{ slug: string }, [string, string, string]>(
    `SELECT DISTINCT category.slug FROM origin JOIN listing ON listing.id = record_id
     JOIN category ON category.id = listing.category_id
     WHERE listing.state = 1 AND source = ? AND path > ? AND path < ? LIMIT 2`,
  )
  const listTalks = (category: string) => db.transaction('read', () => list.all(category, maxTalks))
  return {
    findImportedCategory: (slug) =>
      db.transaction('read', async () => {
        const file = await findFile.get(slug)
        const folder = file?.path.slice(0, file.path.lastIndexOf('/'))
        if (file === null || folder === undefined) return null
        // Everything between the slash and the character after it.
        const categories = await listCategories.all(file.source, `${folder}/`, `${folder}0`)
        return categories.length === 1 ? (categories[0] ?? null) : null
      }),
    async findTitled({ category, title }) {
      const key = toSlugKey(title)
      return toAddresses((await listTalks(category)).filter((talk) => toSlugKey(talk.title) === key))
    },
    async findByOldSlug({ category, slug }) {
      const talks = await listTalks(category)
      const key = toSlugKey(slug)
      for (const fits of toTests(slug, key)) {
        const found = talks.filter(fits)
        if (found.length > 0) return toAddresses(found)
      }
      return []
    },
  }
}

/** The surest first. Our slugs are cut, and titles change; slugs do not. */
const toTests = (slug: string, key: string): readonly ((talk: TalkRow) => boolean)[] => [
  (talk) => talk.slug === slug,
  ({ title }) => toSlugKey(title) === key,
  ({ path }) => path !== null && toSlugKey(toFileName(path)) === key,
  (talk) => {
    const own = toSlugKey(talk.slug)
    return own.length >= minBeginning && key.startsWith(own)
  },
]

/** `pycon/videos/a-talk.json` -> `a-talk` */
const toFileName = (path: string) => path.slice(path.lastIndexOf('/') + 1).replace(/\.json$/, '')

const toAddresses = (talks: readonly TalkRow[]): PageRef[] => talks.map(({ id, slug }) => ({ id, slug }))
