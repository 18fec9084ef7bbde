import type { Database } from '../sql/database.ts'
import type { PageReader } from '../sql/list-page.ts'
import { joinBodies, maxPageBytes } from '../sql/page-bodies.ts'

/**
 * The page's records in the order of their ids in the list; none of them where together they are too large. As texts:
 * bytes would come in twice as many digits. Texts are made when all is in order, since sorting moves what there is.
 */
const bodiesSql = `
  SELECT convert_from(body, 'UTF8') AS text FROM (
    SELECT CASE WHEN count(*) OVER () = 1 OR sum(octet_length(body)) OVER () <= ${4 * maxPageBytes} THEN body END AS body
    FROM unnest(?::bigint[]) WITH ORDINALITY AS wanted (id, place) JOIN record USING (id) ORDER BY place
  ) AS page`

export function createPageBodies(db: Database): PageReader['toBodies'] {
  const read = db.query<{ text: string | null }, [string]>(bodiesSql)
  return (ids, fields) => {
    const rows = ids.length === 0 ? [] : read.all(`{${ids}}`)
    const texts = rows.flatMap(({ text }) => text ?? [])
    return texts.length < rows.length ? null : joinBodies(texts, fields)
  }
}
