import type { Database } from '../sql/database.ts'
import type { PageReader } from '../sql/list-page.ts'
import { joinBodies, maxPageBytes } from '../sql/page-bodies.ts'

/**
 * The page's records in the order of their ids in the list; none of them where together they are too large. As texts, a
 * character for each byte: bytes would come in twice as many digits.
 */
const bodiesSql = `
  SELECT CASE WHEN count(*) OVER () = 1 OR sum(octet_length(body)) OVER () <= ${4 * maxPageBytes}
    THEN convert_from(body, 'LATIN1') END AS text
  FROM unnest(?::bigint[]) WITH ORDINALITY AS wanted (id, place) JOIN record USING (id) ORDER BY place`

export function createPageBodies(db: Database): PageReader['toBodies'] {
  const read = db.query<{ text: string | null }, [string]>(bodiesSql)
  return (ids, fields) => {
    const rows = ids.length === 0 ? [] : read.all(`{${ids}}`)
    const texts = rows.flatMap(({ text }) => text ?? [])
    return texts.length < rows.length ? null : joinBodies(texts, fields)
  }
}
