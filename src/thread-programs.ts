/**
 * The programs of the threads. Here and not beside the code that starts them: in the executable (scripts/build.ts) all
 * bundled code lies in one folder, which is this one, and the programs at their paths below it.
 */
export const httpThread = new URL('./serve/http-thread.ts', import.meta.url)
export const writerThread = new URL('./serve/writer-thread.ts', import.meta.url)
export const queryThread = new URL('./serve/query-thread.ts', import.meta.url)
/** For PostgreSQL, where other nodes write too. */
export const notificationThread = new URL('./serve/notification-thread.ts', import.meta.url)
