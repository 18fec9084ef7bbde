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
  ...vocabularyDocs,
  ...systemDocs,
  ...Object.fromEntries(
    [
      '/api/v2/video/:id/history',
      '/api/v2/video/:id/history/:version',
      '/api/v2/video/:id/history/:version/restore',
      '/api/v2/batches',
      '/api/v2/batches/:id/undo',
    ].map((path) => [path, null]),
  ),
}
