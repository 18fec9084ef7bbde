import { isDead, linkStates } from '../../record/link/link.ts'
import type { DeadLinks, RecordLink } from '../../record/link/uses.ts'
import type { LinkCounts, LinkFilters, LinkLine, LinkReportLine } from '../../record/query/links.ts'
import { toSortKey } from '../../record/text/fold.ts'
import type { Database } from '../database.ts'
import { createMemo } from '../read/memo.ts'
import { type Condition, createLookup, createStatements, toAnd, toChunks } from '../read/statements.ts'
import type { SlowReads } from '../store.ts'
import { deadRecordsSql, toTroubledSql } from './link-sql.ts'

interface CountRow {
  readonly category: number
  readonly host: string
  readonly state: string
  readonly n: number
}

const columns = `link.id, url, host, state, since, failures, status, last_ok, checked, evidence, target`

/** States of addresses for callers who see drafts. */
export function createLinkReads(
  db: Database,
  changesCounter: () => number,
  onStep: () => void,
): Pick<SlowReads, 'listLinks' | 'reportLinks' | 'findRecordLinks' | 'findDeadLinks'> {
  const prepare = createStatements(db, onStep)
  const lookUpUses = createLookup<{ link: number; id: number }, number>(
    db,
    (ids) => `SELECT DISTINCT link_id AS link, record_id AS id FROM link_use WHERE link_id IN ${ids} ORDER BY 2`,
  )
  const listOfRecord = db.query<RecordLink, [number]>(
    `SELECT url, role, state, since, target FROM link_use JOIN link ON link.id = link_id WHERE record_id = ?
     ORDER BY role, url`,
  )
  const lookUpTroubled = createLookup<RecordLink & { readonly id: number }, number>(db, toTroubledSql)
  const lookUpLost = createLookup<{ id: number }, number>(db, (ids) => `${deadRecordsSql} AND record_id IN ${ids}`)
  const reports = createMemo<readonly LinkReportLine[]>(changesCounter)

  async function list({ page, pageSize, ...filters }: Parameters<SlowReads['listLinks']>[0]) {
    const { sql, values } = toAnd(toConditions(filters))
    const found = await prepare<{ n: number }>(`SELECT count(*) AS n FROM link WHERE ${sql}`).get(...values)
    const count = found?.n ?? 0
    const number = page === 'last' ? Math.max(1, Math.ceil(count / pageSize)) : page
    const rows = await prepare<Omit<LinkLine, 'videos'> & { id: number }>(
      `SELECT ${columns} FROM link WHERE ${sql} ORDER BY host, url LIMIT ? OFFSET ?`,
    ).all(...values, pageSize, (number - 1) * pageSize)
    const videos = await readVideos(rows.map(({ id }) => id))
    const lines = rows.map(({ id, ...line }): LinkLine => ({ ...line, videos: videos.get(id) ?? [] }))
    return { count, page: number, lines }
  }

  async function readVideos(links: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>> {
    const found = new Map<number, number[]>()
    for await (const chunk of toChunks(links))
      for (const { link, id } of await lookUpUses(chunk)) found.set(link, [...(found.get(link) ?? []), id])
    return found
  }

  async function readReport(): Promise<readonly LinkReportLine[]> {
    const counts = await prepare<CountRow>(
      `SELECT category_id AS category, link.host, link.state, count(DISTINCT link.id) AS n
       FROM link_use JOIN link ON link.id = link_id JOIN listing ON listing.id = record_id
       GROUP BY category_id, link.host, link.state`,
    ).all()
    const names = await prepare<{ id: number; title: string; slug: string }>(
      'SELECT id, title, slug FROM category',
    ).all()
    const byId = new Map(names.map((each) => [each.id, each]))
    const lines = [...Map.groupBy(counts, ({ category, host }) => `${category} ${host}`).values()].map((rows) => {
      const [first] = rows
      const { title = '', slug = '' } = byId.get(first?.category ?? 0) ?? {}
      return { category: title, slug, host: first?.host ?? '', ...toCounts(rows) }
    })
    return sortLines(lines)
  }

  return {
    listLinks: (query) => db.transaction('read', () => list(query)),
    findRecordLinks: ({ id }) => listOfRecord.all(id),
    async findDeadLinks(ids) {
      const found = new Map<number, DeadLinks>()
      for await (const chunk of toChunks(ids)) {
        const dead = Map.groupBy(
          (await lookUpTroubled(chunk)).filter(({ state }) => isDead(state)),
          ({ id }) => id,
        )
        if (dead.size === 0) continue
        const lost = new Set((await lookUpLost([...dead.keys()])).map(({ id }) => id))
        for (const [id, links] of dead) found.set(id, { urls: links.map(({ url }) => url), isLost: lost.has(id) })
      }
      return found
    },
    reportLinks: ({ page, pageSize, isTroubled, ...filters }) =>
      db.transaction('read', async () => {
        const { category, host } = filters
        const all = (await reports('', readReport)).filter(
          (line) =>
            (category === undefined || line.slug === category || line.category === category) &&
            (host === undefined || line.host === host) &&
            (isTroubled !== true || countTrouble(line) > 0),
        )
        const number = page === 'last' ? Math.max(1, Math.ceil(all.length / pageSize)) : page
        const totals = toCounts(
          await prepare<{ state: string; n: number }>('SELECT state, count(*) AS n FROM link GROUP BY state').all(),
        )
        const lines = all.slice((number - 1) * pageSize, number * pageSize)
        return { count: all.length, page: number, lines, totals }
      }),
  }
}

function toConditions({ states, host, category }: LinkFilters): Condition[] {
  const ofCategory = 'category_id IN (SELECT category.id FROM category WHERE slug = ? OR title = ?)'
  return [
    ...(states === undefined ? [] : [{ sql: `state IN (${states.map(() => '?').join(', ')})`, values: states }]),
    ...(host === undefined ? [] : [{ sql: 'host = ?', values: [host] }]),
    ...(category === undefined
      ? []
      : [
          {
            sql: `id IN (SELECT link_id FROM link_use JOIN listing ON listing.id = record_id WHERE ${ofCategory})`,
            values: [category, category],
          },
        ]),
  ]
}

/** Every state has its count. */
const toCounts = (rows: readonly { readonly state: string; readonly n: number }[]) =>
  Object.fromEntries(
    linkStates.map((state) => [state, rows.reduce((sum, row) => sum + (row.state === state ? row.n : 0), 0)]),
  ) as LinkCounts

const countTrouble = ({ gone, private: closed, moved, not_embeddable }: LinkCounts) =>
  gone + closed + moved + not_embeddable

/** Those with the most problems first; ties by event and host. */
function sortLines(lines: readonly LinkReportLine[]): readonly LinkReportLine[] {
  const keyed = lines.map((line) => ({
    line,
    todo: countTrouble(line),
    key: `${toSortKey(line.category)} ${line.host}`,
  }))
  return keyed.sort((a, b) => b.todo - a.todo || (a.key < b.key ? -1 : 1)).map(({ line }) => line)
}
