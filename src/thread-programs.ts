/**
 * Where the threads' programs lie. Here and not beside who starts them: the executable (scripts/build.ts) has
 * everything that is bundled in one place, which is this folder's, and the programs at their paths below it.
 */
export const httpThread = new URL('./serve/http-thread.ts', import.meta.url)

/**
 * The store's own threads, in the order in which they begin; they end in the opposite one. In PostgreSQL others write
 * too, so a thread of its own hears of it; nobody asks that one.
 */
export const storeThreads: {
  readonly [E in 'sqlite' | 'postgres']: { readonly writer: URL; readonly query: URL; readonly listen?: URL }
} = {
  sqlite: {
    writer: new URL('./serve/sqlite-writer-thread.ts', import.meta.url),
    query: new URL('./serve/sqlite-query-thread.ts', import.meta.url),
  },
  postgres: {
    writer: new URL('./serve/postgres-writer-thread.ts', import.meta.url),
    query: new URL('./serve/postgres-query-thread.ts', import.meta.url),
    listen: new URL('./serve/notification-thread.ts', import.meta.url),
  },
}
