import type { CreateCommand, TableCommand } from '../../../record/command.ts'
import type { Chapters } from '../../../record/companion/chapters.ts'
import { toCompanionTag } from '../../../record/companion/version.ts'
import { decideCreate } from '../../../record/decide.ts'
import { toVideoUrl } from '../../../record/embed.ts'
import { type Changes, fromBody, type VideoRecord } from '../../../record/record.ts'
import type { Author } from '../../../record/role.ts'
import { draft } from '../../../record/state.ts'
import {
  type ChapteredRecord,
  listContested,
  parseChangedRow,
  parseNewRow,
  type TableRow,
  toShownOrder,
} from '../../../record/table/table-rows.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import type { RowDifference, RowVerdict } from '../../batch-reads.ts'
import type { Outcome } from '../../store.ts'
import type { RecordRows } from '../record-rows.ts'
import type { WritableRecord } from '../version-rows.ts'
import { findLater, type Later, refuseUnknownSeq } from './bulk.ts'
import { type JudgedNewRecords, type Judgement, judgeChanges, type Plan, refuseRecord } from './plan.ts'
import type { SelectionRows } from './selection-rows.ts'

/**
 * The rows of a table: each changes the fields whose cells differ from the version it was made from, or creates a draft
 * (decision 85).
 */
export async function planTable(
  rows: RecordRows,
  selections: SelectionRows,
  command: TableCommand,
): Promise<Outcome | Plan> {
  const { request } = command
  const unknown = await refuseUnknownSeq(rows, request.asOf)
  if (unknown !== null) return unknown
  const good = request.rows.filter(({ problems }) => problems.size === 0)
  const changing = new Map(good.flatMap((row) => (row.id === null ? [] : [[row.id, row] as const])))
  const creating = good.filter(({ id }) => id === null)
  const { chaptersOf } = request
  const ids = [...changing.keys(), ...(chaptersOf === undefined ? [] : [chaptersOf.id])].sort(
    (one, other) => one - other,
  )
  const later = request.asOf === null ? null : await findLater(selections, request.asOf, new Set(ids))
  const judge = new TableJudge(rows, command, later)
  return {
    is: 'plan',
    kind: 'table',
    command,
    undoes: null,
    ids,
    judge: (id, stored, at) =>
      id === chaptersOf?.id
        ? linkChapters(rows, command.author, chaptersOf, stored, at)
        : judge.change(changing.get(id) ?? fail(id), stored, at),
    newRecords: {
      count: request.rows.length - changing.size,
      judge: (at) => judge.createAll(creating, request.rows.length - good.length, at),
    },
    isAllOrNothing: !request.isPartial,
    maySlice: false,
    readMore: async () => ({ refusedRows: judge.verdicts().filter(({ is }) => is === 'refused') }),
    ...(chaptersOf === undefined
      ? {}
      : { finish: async () => ({ parts: [{ kind: 'patch', patch: { chapters: chaptersOf.id } }] }) }),
    readPreview: async (asOf) => ({
      table: { rows: judge.verdicts(), differences: await judge.listDifferences(), as_of: asOf },
    }),
  }
}

/**
 * Writes into the chapters which records they will be: the next ids, since all new records are created after this and
 * within the same transaction, or none.
 */
async function linkChapters(
  rows: RecordRows,
  author: Author,
  { id, base }: ChapteredRecord,
  stored: WritableRecord | null,
  at: Timestamp,
): Promise<Judgement> {
  if (stored === null) return refuseRecord(id, (await rows.isErased(id)) ? 'gone' : 'not_found')
  const now = await rows.companions.find(id, 'chapters')
  if (toCompanionTag('chapters', now) !== base) return refuseRecord(id, 'changed_since')
  let next = await rows.findNextId()
  // The contents of chapters have the shape that their kind gives them.
  const { chapters } = now.content as Chapters
  const linked = chapters.map((chapter) => (chapter.video === undefined ? { ...chapter, video: next++ } : chapter))
  const companions = [{ name: 'chapters', content: { chapters: linked } }] as const
  return judgeChanges(stored, { author, changes: {}, companions }, at)
}

type NewVerdict = Pick<RowVerdict, 'is'> & Partial<RowVerdict>

/** Judges rows, and keeps what it found of each. */
class TableJudge {
  readonly #rows: RecordRows
  readonly #command: TableCommand
  readonly #later: Later | null
  readonly #verdicts = new Map<number, RowVerdict>()

  constructor(rows: RecordRows, command: TableCommand, later: Later | null) {
    this.#rows = rows
    this.#command = command
    this.#later = later
  }

  /** In the order of the table. */
  verdicts(): RowVerdict[] {
    return this.#command.request.rows.map((row) => this.#verdicts.get(row.row) ?? this.#note(row, toBadRow(row)))
  }

  async change(row: TableRow, stored: WritableRecord | null, at: Timestamp): Promise<Judgement> {
    const id = row.id ?? fail(row.row)
    const refuseRow = (problem: string, more: Partial<RowVerdict> = {}) => {
      this.#note(row, { ...more, is: 'refused', problem })
      return refuseRecord(id, problem, Object.keys(more.errors ?? {}))
    }
    if (stored === null) return refuseRow((await this.#rows.isErased(id)) ? 'gone' : 'not_found')
    const current = fromBody(stored.body)
    const base = await this.#findBase(row, current)
    if (base === null) return refuseRow('no_such_version')
    const parsed = parseChangedRow(row, base)
    if (!parsed.ok) return refuseRow('bad_fields', { errors: Object.fromEntries(parsed.errors) })
    const { changes } = parsed
    const judged = judgeChanges(stored, { author: this.#command.author, changes }, at)
    if (judged.is === 'refused') return refuseRow(judged.notes[0]?.why ?? '')
    const isChanged = judged.is === 'accepted'
    const isLater = isChanged && judged.changed.some((name) => this.#later?.get(id)?.has(name))
    if (isLater || listContested(changes, base, current).length > 0) return refuseRow('changed_since')
    this.#note(row, { is: isChanged ? 'changed' : 'unchanged', isOverwriting: isChanged && row.updated === null })
    return judged
  }

  /** `broken`: rows that cannot be read, which count as refused. */
  async createAll(creating: readonly TableRow[], broken: number, at: Timestamp): Promise<JudgedNewRecords> {
    const accepted: CreateCommand[] = []
    const rowOfVideo = new Map<string, number>()
    for (const row of creating) {
      const command = await this.#create(row, rowOfVideo, at)
      if (command !== null) accepted.push(command)
    }
    return { accepted, refused: broken + creating.length - accepted.length }
  }

  /** Null if the row is refused. */
  async #create(row: TableRow, rowOfVideo: Map<string, number>, at: Timestamp): Promise<CreateCommand | null> {
    const refuseRow = (problem: string, more: Partial<RowVerdict> = {}) => {
      this.#note(row, { ...more, is: 'refused', problem })
      return null
    }
    const parsed = parseNewRow(row)
    if (!parsed.ok) return refuseRow('bad_fields', { errors: Object.fromEntries(parsed.errors) })
    const { author, request } = this.#command
    const command: CreateCommand = { kind: 'create', author, changes: { ...parsed.changes, state: draft } }
    const decision = decideCreate(command, { id: 0, slug: '' }, at)
    if (decision.is === 'refused') return refuseRow(decision.refusal.code)
    const same = request.mayRepeatVideos ? null : await this.#findSame(parsed.changes, rowOfVideo)
    if (same !== null) return refuseRow('same_video', { same })
    rowOfVideo.set(toVideoUrl(parsed.changes.source_url ?? ''), row.row)
    this.#note(row, { is: 'created' })
    return command
  }

  /** The record or the earlier row that has the video already. */
  async #findSame({ source_url: url = '' }: Changes, rowOfVideo: ReadonlyMap<string, number>) {
    if (url === '') return null
    const row = rowOfVideo.get(toVideoUrl(url))
    if (row !== undefined) return { row }
    const id = await this.#rows.findBySourceUrl(url)
    return id === null ? null : { id }
  }

  /** The version that the row was made from; null if the record never had it. */
  async #findBase({ id, updated }: TableRow, current: VideoRecord): Promise<VideoRecord | null> {
    if (updated === null || updated === current.updated) return current
    return this.#rows.versions.findAt(id ?? 0, updated)
  }

  #note(row: TableRow, found: NewVerdict): RowVerdict {
    const verdict = { problem: null, errors: {}, isOverwriting: false, same: null, ...found, row: row.row, id: row.id }
    this.#verdicts.set(row.row, verdict)
    return verdict
  }

  /** Of the rows that the caller wants to see. */
  async listDifferences(): Promise<RowDifference[]> {
    const { rows, shown } = this.#command.request
    if (shown === null) return []
    const byRow = new Map(rows.map((row) => [row.row, row]))
    const wanted = toShownOrder(this.verdicts()).slice(shown.from, shown.from + shown.count)
    const differences: RowDifference[] = []
    for (const verdict of wanted) {
      const row = byRow.get(verdict.row)
      const difference = row === undefined ? null : await this.#findDifference(row)
      if (difference !== null) differences.push(difference)
    }
    return differences
  }

  /** Null if nothing can be compared: the row is wrong, or its record does not exist. */
  async #findDifference(row: TableRow): Promise<RowDifference | null> {
    if (row.id === null) return toNewDifference(row)
    const stored = await this.#rows.read(row.id)
    if (stored === null) return null
    const current = fromBody(stored.body)
    const base = await this.#findBase(row, current)
    const parsed = base === null ? null : parseChangedRow(row, base)
    const changes = parsed?.ok && base !== null ? Object.entries(parsed.changes) : []
    const fields = changes.map(([name, after]) => {
      // `changes` has writable fields only.
      const field = name as keyof Changes
      return [name, { base: base?.[field] ?? null, before: current[field], after }] as const
    })
    const { title, language, state } = current
    return { row: row.row, title, language, state, fields: Object.fromEntries(fields) }
  }
}

const toBadRow = ({ problems }: TableRow): NewVerdict => ({
  is: 'refused',
  problem: 'bad_fields',
  errors: Object.fromEntries(problems),
})

function toNewDifference(row: TableRow): RowDifference | null {
  const parsed = parseNewRow(row)
  if (!parsed.ok) return null
  const { title = '', language = '' } = parsed.changes
  const fields = Object.entries(parsed.changes).map(
    ([name, after]) => [name, { base: null, before: null, after }] as const,
  )
  return { row: row.row, title, language, state: draft, fields: Object.fromEntries(fields) }
}

function fail(row: number): never {
  throw new Error(`row ${row} has no record`)
}
