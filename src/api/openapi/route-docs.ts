import { categoryDocs } from './category-docs.ts'
import { changesDocs } from './changes-docs.ts'
import { historyDocs } from './history-docs.ts'
import type { RouteDocs } from './operation-docs.ts'
import { systemDocs } from './system-docs.ts'
import { videoDocs } from './video-docs.ts'
import { vocabularyDocs } from './vocabulary-docs.ts'

/**
 * Texts by path, exactly one for each path of the route table; a test compares the two. Null: a path for people that
 * programs have no use for.
 */
export const routeDocs: { readonly [path: string]: RouteDocs | null } = {
  ...videoDocs,
  ...historyDocs,
  ...changesDocs,
  ...categoryDocs,
  ...vocabularyDocs,
  ...systemDocs,
}
