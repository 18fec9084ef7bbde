import type { JsonObject } from '../../record/json/json-value.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type { CategoryRows } from '../write/category-rows.ts'
import type { ImportedCategory, ImportOptions } from './imported-talk.ts'
import type { OriginRows } from './origin-rows.ts'

/** Imports the categories of a source. */
export interface ImportCategories {
  /** A category that was renamed here keeps its title; its description is replaced unless people have changed it. */
  add(category: ImportedCategory, at: Timestamp): Promise<void>
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
    async add({ path, title, description, extras }, at) {
      const authorship = { at, author, reason }
      const known = await origins.findCategory(source, path)
      const said = known === null ? {} : (known.basis.said as JsonObject)
      const isSame = known !== null && said.title === title
      // A dry run creates no category.
      if (!isSame && isDryRun) return
      const categoryId = isSame ? known.categoryId : await categories.ensureCategory(title, authorship)
      const now = await categories.findTitle(categoryId)
      if (now !== null && now !== title) renamed.set(title, now)
      if (isDryRun) return
      const current = await categories.findDescription(categoryId)
      const isOurs = current === '' || current === said.description
      if (isOurs && current !== description) await categories.update(categoryId, { description }, authorship)
      origins.saveCategory({ source, path, categoryId, extras })
    },
  }
}
