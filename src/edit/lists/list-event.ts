import type { ReadStore } from '../../store/store.ts'

/**
 * The title of the event that a list is narrowed to, as its talks have it; an empty list asks the store. Null without such
 * a filter, or if the event is not known now: that is no reason not to show the list.
 */
export async function findListEvent(
  store: Pick<ReadStore, 'findCategory'>,
  filters: URLSearchParams,
  rows: readonly { readonly record: { readonly category: string } }[] | null,
): Promise<string | null> {
  const category = filters.get('category')
  if (category === null) return null
  const first = rows?.[0]?.record.category
  if (first !== undefined) return first
  const found = await store.findCategory({ slug: category, visibility: 'all' })
  return found === null || typeof found === 'string' ? null : found.row.title
}

/** As `findListEvent`, by a talk that was opened in the list. */
export async function findEventOfTalk(
  store: Pick<ReadStore, 'findCategorySlugs'>,
  filters: URLSearchParams,
  title: string,
): Promise<string | null> {
  const category = filters.get('category')
  if (category === null || category === title) return category
  const slugs = await store.findCategorySlugs([title])
  return typeof slugs !== 'string' && slugs.get(title) === category ? title : null
}
