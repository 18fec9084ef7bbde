import { type LinkState, linkStates, notChecked } from '../../record/link/link.ts'
import type { LinkRunOptions } from '../../record/link/link-run.ts'
import type { AskedLink } from '../../record/link/rules.ts'
import { draft, live } from '../../record/state.ts'
import { type Timestamp, toMs, toTimestamp } from '../../record/timestamp.ts'
import type { Database } from '../database.ts'
import { createLookup, maxLookup } from '../read/statements.ts'

export interface ChosenLink extends AskedLink {
  readonly id: number
}

/** The reads of a run. */
export interface LinkChoice {
  /**
   * The ids of the addresses that a run has to check, by host, with the oldest check first. A host without ids only has
   * to be judged. `records`: only their addresses.
   */
  choose(run: RunToChoose, records: readonly number[] | null): Promise<ReadonlyMap<string, readonly number[]>>
  /** Those that still exist among up to `maxLookup` ids. */
  find(ids: readonly number[]): Promise<readonly ChosenLink[]>
  /** How many addresses the run has already checked. */
  countAsked(run: number): Promise<number>
  /** When the last complete run with these options began; null if there was none, or one was cut off since. */
  findLastStart(options: string): Promise<Timestamp | null>
}

interface RunToChoose {
  readonly run: number
  readonly started: Timestamp
  readonly options: LinkRunOptions
}

const noLimit = 2 ** 31

/** Clocks of nodes differ by less. A later time was written while the clock was wrong, and would hold for years. */
const maxSkewMs = 86_400_000

export const toLatest = (now: Timestamp) => toTimestamp(toMs(now) + maxSkewMs)

export function createLinkChoice(db: Database): LinkChoice {
  const prepare = (states: string) =>
    db.query<{ id: number; host: string }, [number, Timestamp, Timestamp, string, Timestamp, string, string, number]>(
      `SELECT id, host FROM link WHERE run <> ? AND (checked IS NULL OR checked < ? OR checked > ? OR evidence = ?)
         AND (ignored_until IS NULL OR ignored_until <= ?) AND (? = '' OR host = ?)
         AND EXISTS (SELECT 1 FROM link_use JOIN record ON record.id = record_id
                     WHERE link_id = link.id AND record.state IN (${states}))
       ORDER BY checked NULLS FIRST, id LIMIT ?`,
    )
  const [listLive, listAll] = [prepare(`${live}`), prepare(`${live}, ${draft}`)]
  const findMany = createLookup<{ id: number; url: string; isPage: number }, number>(
    db,
    (ids) => `SELECT id, url, (SELECT count(*) FROM link_use WHERE link_id = link.id AND role IN ('page', 'related'))
      AS "isPage" FROM link WHERE id IN ${ids}`,
  )
  const findUses = createLookup<{ link: number }, number>(
    db,
    (ids) => `SELECT link_id AS link FROM link_use WHERE record_id IN ${ids}`,
  )
  const listLeftOver = db.query<{ host: string }, [number]>(
    'SELECT DISTINCT host FROM link WHERE run = ? AND pending IS NOT NULL',
  )
  const countAsked = db.query<{ n: number }, [number]>('SELECT count(*) AS n FROM link WHERE run = ?')
  const findRun = db.query<{ started: Timestamp; finished: Timestamp | null }, [string]>(
    'SELECT started, finished FROM link_run WHERE options = ? ORDER BY number DESC LIMIT 1',
  )

  /** The addresses of some records. */
  async function findLinks(records: readonly number[]): Promise<ReadonlySet<number>> {
    const links = new Set<number>()
    for (let i = 0; i < records.length; i += maxLookup)
      for (const { link } of await findUses(records.slice(i, i + maxLookup))) links.add(link)
    return links
  }

  return {
    async choose({ run, started, options: { olderThanMs, host, limit, drafts, allowsPrivate } }, records) {
      const before = toTimestamp(toMs(started) - olderThanMs)
      const left = limit === null ? noLimit : limit - ((await countAsked.get(run))?.n ?? 0)
      const links = records === null ? null : await findLinks(records)
      const sqlLimit = links === null ? Math.max(0, left) : noLimit
      const list = drafts ? listAll : listLive
      // What only a run without private addresses has left out is still to be checked.
      const also = allowsPrivate ? notChecked : '-'
      const rows = await list.all(run, before, toLatest(started), also, started, host ?? '', host ?? '', sqlLimit)
      const chosen = links === null ? rows : rows.filter(({ id }) => links.has(id)).slice(0, Math.max(0, left))
      const byHost = Map.groupBy(chosen, (row) => row.host)
      const asked = await listLeftOver.all(run)
      return new Map([
        ...asked.map(({ host: name }): [string, number[]] => [name, []]),
        ...[...byHost].map(([name, all]): [string, number[]] => [name, all.map(({ id }) => id)]),
      ])
    },
    async find(ids) {
      const found = await findMany(ids)
      return found.map(({ id, url, isPage }) => ({ id, url, expectsMedia: isPage === 0 }))
    },
    countAsked: async (run) => (await countAsked.get(run))?.n ?? 0,
    async findLastStart(options) {
      const run = await findRun.get(options)
      return run === null || run.finished === null ? null : run.started
    },
  }
}

/** The link metrics. */
export interface LinkNumbers {
  readonly states: { readonly [state in LinkState]: number }
  /** Of the addresses that runs ask about; null if nothing was checked yet. */
  readonly oldestCheck: Timestamp | null
}

export function createLinkNumbers(db: Database): () => Promise<LinkNumbers> {
  const count = db.query<{ state: LinkState; n: number; oldest: Timestamp | null }, []>(
    // A curator may have judged an address after its check, for a year.
    `SELECT state, count(*) AS n, min(CASE WHEN ignored_until IS NULL OR ignored_until < checked THEN checked END) AS oldest
     FROM link GROUP BY state`,
  )
  return async () => {
    const rows = await count.all()
    const states = Object.fromEntries(
      linkStates.map((state) => [state, rows.find((row) => row.state === state)?.n ?? 0]),
    )
    const oldest = rows.flatMap((row) => row.oldest ?? []).toSorted()[0] ?? null
    // The entries are those of all states.
    return { states: states as LinkNumbers['states'], oldestCheck: oldest }
  }
}
