/**
 * The program that speaks to PostgreSQL for a thread which stands still meanwhile. In a file of its own, beside
 * thread-programs.ts for the same reason, since the threads that are named there use it.
 */
export const ioThread = new URL('./store/postgres/client/io-thread.ts', import.meta.url)
