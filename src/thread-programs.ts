/**
 * The programs of the threads. They are named here and not beside the code that starts them, because the executable
 * (scripts/build.ts) has all bundled code in this folder, and the programs at their paths below it.
 */
export const httpThread = new URL('./serve/http-thread.ts', import.meta.url)
export const writerThread = new URL('./serve/writer-thread.ts', import.meta.url)
export const queryThread = new URL('./serve/query-thread.ts', import.meta.url)
/** For `--check-links`. */
export const linkThread = new URL('./serve/link-thread.ts', import.meta.url)
/** For PostgreSQL, where other nodes write too. */
export const notificationThread = new URL('./serve/notification-thread.ts', import.meta.url)
