import type { StoreThreadName } from './cli/thread-messages.ts'

/**
 * Where the threads' programs lie. Here and not beside who starts them: the executable (scripts/build.ts) has
 * everything that is bundled in one place, which is this folder's, and the programs at their paths below it.
 */
export const httpThread = new URL('./cli/http-thread.ts', import.meta.url)

export const storeThreads: { readonly [N in StoreThreadName]: URL } = {
  writer: new URL('./store/sqlite/writer-thread.ts', import.meta.url),
  query: new URL('./store/sqlite/query-thread.ts', import.meta.url),
}
