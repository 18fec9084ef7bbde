import { Refused, requireRead } from '../../http/problem.ts'
import type { Caller } from '../../http/route.ts'
import { companionNames, isCompanionName } from '../../record/companion/kinds.ts'
import type { JsonObject } from '../../record/json.ts'
import { fromBody, type VideoRecord } from '../../record/record.ts'
import { hasRole } from '../../record/role.ts'
import { toFolded } from '../../record/text/fold.ts'
import { isTranscriptName } from '../../record/transcript/transcript-kind.ts'
import type { BatchContent, BatchLine, BatchMemberLine } from '../../store/batch-reads.ts'
import type { ReadStore } from '../../store/store.ts'
import { readLines } from '../history/read-versions.ts'

/** A talk before and after a batch. `before` is null for one that the batch created. */
export interface ChangedTalk extends BatchMemberLine {
  readonly before: JsonObject | null
  readonly after: VideoRecord & JsonObject
}

/** What the page of a batch shows. */
export interface BatchView {
  readonly batch: BatchLine
  readonly content: BatchContent
  readonly talks: readonly ChangedTalk[]
  /** How many talks of the batch have been erased since. */
  readonly erased: number
  /** The talk after which the page begins. */
  readonly after: number
  /** The last talk of this page, after which the next page begins; null on the last page. */
  readonly next: number | null
  /** Titles of talks that are mentioned without their changes. */
  readonly titles: ReadonlyMap<number, string>
}

const talksPerPage = 20
/** Per kind of note. */
export const maxNotes = 100

/** Refuses the request if there is no such batch, or if the caller may not see it. */
export async function readBatchView(store: ReadStore, caller: Caller, id: number, after: number): Promise<BatchView> {
  const batch = await findBatch(store, caller, id)
  const query = { batch: id, after, limit: talksPerPage + 1 }
  const { members, erased } = requireRead(await store.listBatchMembers(query))
  const shown = members.slice(0, talksPerPage)
  const content = await findContent(store, id)
  const talks: ChangedTalk[] = []
  for (const member of shown) talks.push(...(await readTalk(store, member)))
  const next = members.length > talksPerPage ? (shown.at(-1)?.id ?? null) : null
  const named = [...batch.refused.slice(0, maxNotes), ...batch.left.slice(0, maxNotes)].map((note) => note.id)
  return { batch, content, talks, erased, after, next, titles: await readTitles(store, named) }
}

const isCreated = ({ first }: BatchMemberLine) => first === 1

/** The drafts that a table created and that nobody has published, set aside or merged since. */
export async function listOpenDrafts(store: ReadStore, batch: BatchLine): Promise<readonly number[]> {
  if (batch.kind !== 'table' || batch.state !== 'done' || batch.undone_by !== null) return []
  const members = await listMembers(store, batch.id, batch.changed)
  return members.flatMap((member) => (isCreated(member) && member.isDraft ? [member.id] : []))
}

/** What an undo did with the talks that the other batch had created. */
export interface UndoneTalks {
  /** They were live. */
  readonly withdrawn: number
  readonly setAside: number
  /** The title of the event that only these talks had, so that it is listed no longer; null if there is none. */
  readonly event: string | null
}

/** Right after the undo: a draft that is not set aside was withdrawn. */
export async function findUndoneTalks(store: ReadStore, { batch, content }: BatchView): Promise<UndoneTalks> {
  const { undoes, changed } = batch
  if (undoes === null || content.undone === null) return { withdrawn: 0, setAside: 0, event: null }
  const created = new Set(
    (await listMembers(store, undoes, content.undone.talks)).filter(isCreated).map(({ id }) => id),
  )
  const members = (await listMembers(store, batch.id, changed)).filter(({ id }) => created.has(id))
  const withdrawn = members.filter(({ isDraft }) => isDraft).length
  const category = content.undone.created?.category ?? null
  const event = category !== null && !(await isListed(store, category)) ? category : null
  return { withdrawn, setAside: members.length - withdrawn, event }
}

async function isListed(store: ReadStore, title: string): Promise<boolean> {
  const query = { kind: 'category', prefix: toFolded(title), initial: null, order: 'name', page: 1 } as const
  const { lines } = requireRead(await store.listNameLines({ ...query, pageSize: 1_000 }))
  return lines.some(({ name }) => name === title)
}

async function listMembers(store: ReadStore, batch: number, limit: number): Promise<readonly BatchMemberLine[]> {
  return requireRead(await store.listBatchMembers({ batch, after: 0, limit })).members
}

/** What a batch did. */
export async function findContent(store: ReadStore, id: number): Promise<BatchContent> {
  const content = requireRead(await store.findBatchContents({ ids: [id] })).get(id)
  if (content === undefined) throw new Refused({ code: 'no_such_batch' })
  return content
}

/** The current titles of talks, without erased ones. */
export async function readTitles(
  store: Pick<ReadStore, 'read'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const titles = new Map<number, string>()
  for (const id of new Set(ids)) {
    const stored = await store.read(id)
    if (stored !== null) titles.set(id, fromBody(stored.body).title)
  }
  return titles
}

/** Refuses the request if there is no such batch, or if the caller may not see it. */
export async function findBatch(store: ReadStore, caller: Caller, id: number): Promise<BatchLine> {
  const { lines } = requireRead(await store.listBatches({ page: 1, pageSize: 1, by: null, id }))
  const [batch] = lines
  if (batch === undefined) throw new Refused({ code: 'no_such_batch' })
  if (hasRole(caller.role, 'publisher') || caller.name === batch.by) return batch
  throw new Refused({ code: 'not_your_batch', detail: 'Only its author and publishers can see this bulk change.' })
}

/** Empty if the talk has just been erased. */
async function readTalk(store: ReadStore, member: BatchMemberLine): Promise<ChangedTalk[]> {
  const { id, first, last } = member
  const after = await store.readVersion(id, last)
  const before = first === 1 ? null : await store.readVersion(id, first - 1)
  if (after === null) return []
  if (before === null) return [{ ...member, before, after: fromBody(after.body) }]
  const others = first === last ? [] : requireRead(await store.listTranscripts({ id })).map(({ name }) => name)
  const names = first === last ? after.changed.filter(isCompanionName) : [...companionNames, ...others]
  const lines = async (number: number) => readLines(store, id, number, names)
  return [
    {
      ...member,
      ...dropSameLines({
        before: { ...fromBody(before.body), ...(await lines(first - 1)) },
        after: { ...fromBody(after.body), ...(await lines(last)) },
      }),
    },
  ]
}

/** A page of many talks shows the lines of transcripts that differ: each has a thousand others. */
function dropSameLines<R extends JsonObject>({ before, after }: { readonly before: R; readonly after: R }) {
  const without = (one: R, other: R): R => {
    const kept = Object.keys(one).flatMap((name) => {
      const [lines, others] = [one[name], other[name]]
      if (!isTranscriptName(name) || !Array.isArray(lines) || !Array.isArray(others)) return []
      const same = new Set(others)
      return [[name, lines.filter((line) => !same.has(line))] as const]
    })
    return { ...one, ...Object.fromEntries(kept) }
  }
  return { before: without(before, after), after: without(after, before) }
}
