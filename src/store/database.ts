import type * as sqlite from 'bun:sqlite'

/**
 * What both engines' connections can do, so that the code which says what is stored exists once. It is `bun:sqlite`'s
 * own shape; PostgreSQL's is made to fit (`store/postgres/connection.ts`). SQL that goes through here must mean the same
 * to both, and of a statement only `get`, `all`, `iterate` and `run` may be used. What `run` is refused may be told by a
 * later statement of its transaction, the last of them its COMMIT; `all` waits, whatever it gives.
 */
export type Database = Pick<sqlite.Database, 'query' | 'prepare' | 'run' | 'transaction' | 'inTransaction' | 'close'>
