import type { Database } from '../database.ts'
import type { PageReader } from '../read/list-page.ts'
import { alwaysAnswered, takeBodies } from '../read/page-bodies.ts'

/**
 * The page's records in the order of their ids in the list; none of them where together they are too large. As texts:
 * bytes would come in twice as many digits. Texts are made when all is in order, since sorting moves what there is.
 */
const toBodiesSql = (maxPageBytes: number) => `
  SELECT convert_from(body, 'UTF8') AS text FROM (
    SELECT CASE WHEN count(*) OVER () <= ${alwaysAnswered} OR sum(octet_length(body)) OVER () <= ${4 * maxPageBytes} THEN body END AS body
    FROM unnest(?::bigint[]) WITH ORDINALITY AS wanted (id, place) JOIN record USING (id) ORDER BY place
  ) AS page`

export function createPageBodies(db: Database, maxPageBytes: number): PageReader['toBodies'] {
  const read = db.query<{ text: string | null }, [string]>(toBodiesSql(maxPageBytes))
  return (ids, fields) => {
    const rows = ids.length === 0 ? [] : read.all(`{${ids}}`)
    const texts = rows.flatMap(({ text }) => text ?? [])
    const max = ids.length <= alwaysAnswered ? Number.POSITIVE_INFINITY : maxPageBytes
    return texts.length < rows.length ? null : takeBodies(texts, fields, max)
  }
}
