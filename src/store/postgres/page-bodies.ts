import type { ListNeeds } from '../read/list.ts'
import { alwaysAnswered, defaultPageBytes, type ReadBodies, takeBodies } from '../read/list-page.ts'

/**
 * Bodies in the order of the ids; NULL where together they are too large. As text, since bytes would travel as hex
 * digits; converted after sorting, which would have to move the longer form.
 */
const toBodiesSql = (maxPageBytes: number) => `
  SELECT convert_from(body, 'UTF8') AS text FROM (
    SELECT CASE WHEN count(*) OVER () <= ${alwaysAnswered} OR sum(octet_length(body)) OVER () <= ${4 * maxPageBytes} THEN body END AS body
    FROM unnest(?::bigint[]) WITH ORDINALITY AS wanted (id, place) JOIN record USING (id) ORDER BY place
  ) AS page`

export function createPageBodies({ db, maxPageBytes = defaultPageBytes }: ListNeeds): ReadBodies {
  const read = db.query<{ text: string | null }, [string]>(toBodiesSql(maxPageBytes))
  return async (ids, fields) => {
    const rows = ids.length === 0 ? [] : await read.all(`{${ids}}`)
    const texts = rows.flatMap(({ text }) => text ?? [])
    const max = ids.length <= alwaysAnswered ? Number.POSITIVE_INFINITY : maxPageBytes
    return texts.length < rows.length ? null : await takeBodies(texts, fields, max)
  }
}
