/** Uses a connection, and closes it whatever comes of that. */
export async function closeWhenDone<Db extends { close(): void | Promise<void> }, Result>(
  db: Db,
  use: (db: Db) => Promise<Result>,
): Promise<Result> {
  try {
    return await use(db)
  } finally {
    await db.close()
  }
}
