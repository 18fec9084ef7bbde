import { decide, decideCreate, decideImportedState } from '../../record/decide.ts'
import type { JsonObject } from '../../record/json.ts'
import { type Changes, fromBody, toDefaults, type VideoRecord } from '../../record/record.ts'
import { mergeThreeWays } from '../../record/three-way-merge.ts'
import { type Timestamp, toTimestamp } from '../../record/timestamp.ts'
import type { Database } from '../database.ts'
import type { StoredRecord } from '../store.ts'
import { createRecordRows } from '../write/record-rows.ts'
import type { NewVersion } from '../write/version-rows.ts'
import { createFieldHistories } from './field-history.ts'
import { createImportCategories, createImportNames } from './import-names.ts'
import type {
  ImportedCategory,
  ImportedRecord,
  ImportedTalk,
  Importer,
  ImportOptions,
  ImportOutcome,
  TakenDownGone,
} from './imported-talk.ts'
import { createErasureFinder, createMatcher, type FindErasure, type MatchedRecord } from './matcher.ts'
import { createNewRecords } from './new-records.ts'
import {
  createOriginRows,
  isDraftOf,
  isDraftOfOther,
  type Origin,
  pick,
  sortOrigins,
  withoutUnfit,
} from './origin-rows.ts'

const takedownReason = 'The source lists it in NO_PUBLISH.json.'

export function createImporter(db: Database, options: ImportOptions): Importer {
  const { source, state, isDryRun } = options
  const author = { name: options.author, role: 'admin' } as const
  const rows = createRecordRows(db)
  const origins = createOriginRows(db)
  const categories = createImportCategories(rows.categories, origins, options)
  const createFindErasure = createErasureFinder(db, options)
  const names = createImportNames(db, categories.toTitle)
  const createHistory = createFieldHistories(db, rows, names.toHere)
  const matcher = createMatcher(rows, origins, options)
  const newRecords = createNewRecords(db, { rows, origins, isTaken: matcher.isTaken })
  let batch: number | null = null
  let changedCount = 0

  async function ensureBatch(at: Timestamp): Promise<number> {
    const { reason } = options
    const plain = { kind: 'import', undoes: null, state: 'done', total: 0, key: null } as const
    batch ??= await rows.batches.add({ ...plain, at, author: author.name, reason })
    return batch
  }

  async function create(talk: ImportedTalk, at: Timestamp): Promise<ImportedRecord> {
    const { changes } = talk
    const { id, renumbered } = await newRecords.claimId(talk.id)
    const mapped = names.listMapped(changes)
    const created = { is: 'created', id, renumbered, kept: [], isLiveAgain: false, hasExtras: true, mapped } as const
    if (isDryRun) return created
    const identity = {
      id,
      slug: await newRecords.claimSlug(talk),
      ...(talk.added === null ? {} : { added: talk.added }),
    }
    const wanted = { ...names.toOurs(changes), state: state === 2 ? state : (changes.state ?? state) }
    const decision = decideCreate({ kind: 'create', author, changes: wanted }, identity, at)
    if (decision.is !== 'accepted') throw new Error(`${talk.path} could not be made: ${decision.is}`)
    const version = await countVersion(decision, null, at)
    newRecords.add({
      version,
      origin: toOrigin(withoutUnfit(talk), id, 1),
      extras: talk.toExtras(decision.record.slug),
    })
    return created
  }

  async function read(id: number): Promise<StoredRecord> {
    const stored = await rows.read(id)
    if (stored === null) throw new Error(`record ${id} is in the lists, but is not there`)
    return stored
  }

  async function update(given: ImportedTalk, { id, isKnown }: MatchedRecord, at: Timestamp): Promise<ImportedRecord> {
    const talk = withoutUnfit(given)
    const stored = await read(id)
    const record = fromBody(stored.body)
    const known = sortOrigins(await origins.listOf(id), source, talk.path)
    const { own } = known
    const history = createHistory(record, own, talk)
    const { state: imported, ...theirs } = toTheirs(talk, own)
    const wasTakenDown = isDraftOf(own, record) && imported === undefined
    const wasUndone = isKnown && !wasTakenDown && record.state === 2 && (await history.undoneImport('state')) === 1
    const isTakenDownElsewhere = await isDraftOfOther(known.others, record, history)
    const { state: asked, staysDraft } = decideImportedState({
      ...{ current: record.state, imported, wasTakenDown, wasUndone, isTakenDownElsewhere },
      isDraftsOnly: state === 2,
    })
    const wanted = asked === null ? theirs : { ...theirs, state: asked }
    const { changes, kept } = await mergeThreeWays(record, wanted, history)
    const changed = await change(stored, record, changes, at, options.reason)
    const now = { record: changed?.record ?? record, version: changed?.version ?? stored.version }
    // Values that did not fit keep their last imported value as merge base.
    const keptNames = wasTakenDown ? [...talk.unfitNames, 'state'] : talk.unfitNames
    const said = { ...pick(own?.imported ?? {}, keptNames), ...talk.changes }
    const isMoreKnown = await remember({ ...talk, changes: said }, now, known.first)
    return {
      is: changed !== null || isMoreKnown ? 'updated' : 'unchanged',
      id,
      renumbered: null,
      kept: staysDraft ? [...kept, 'state'] : kept,
      isLiveAgain: changes.state === 1 && wasUndone,
      hasExtras: isOwn(known.first),
      mapped: names.listMapped(talk.changes),
    }
  }

  /** The new record and its version; null if nothing changes. */
  async function change(
    stored: StoredRecord,
    record: VideoRecord,
    changes: Changes,
    at: Timestamp,
    reason: string | null,
  ) {
    const command = { id: record.id, author, precondition: {}, kind: 'merge', changes } as const
    const decision = decide({ record, versionTag: stored.versionTag }, command, at)
    if (decision.is === 'refused') throw new Error(`record ${record.id} could not be changed: ${decision.refusal.code}`)
    if (decision.is === 'unchanged') return null
    if (!isDryRun) await rows.store({ ...(await countVersion(decision, stored, at)), reason })
    return { record: decision.record, version: stored.version + 1 }
  }

  /** The values of the source. A field that it no longer has goes back to its default. */
  function toTheirs({ changes, unfitNames }: ImportedTalk, origin: Origin | null): Changes {
    const before = Object.keys(origin?.imported ?? {}).filter((name) => !unfitNames.some((each) => each === name))
    const lost = Object.entries(toDefaults()).filter(([name]) => !(name in changes) && before.includes(name))
    return { ...Object.fromEntries(lost), ...names.toOurs(changes) }
  }

  /** A takedown makes the record a draft, even if people have edited it. */
  async function takeDown(path: string, match: MatchedRecord | null, at: Timestamp): Promise<ImportOutcome> {
    if (match === null) return { is: 'taken down', id: null, wasLive: false }
    const { id } = match
    matcher.take(id)
    const stored = await read(id)
    const isLive = stored.state === 1
    const reason = options.reason ?? takedownReason
    const changed = isLive ? await change(stored, fromBody(stored.body), { state: 2 }, at, reason) : null
    const { own } = sortOrigins(await origins.listOf(id), source, path)
    // Keeps it a draft when the list no longer names it, and when other sources publish it.
    const imported = { ...own?.imported, state: 2 } as const
    const version = changed?.version ?? stored.version
    if (!isDryRun) origins.save({ id, source, path, imported, version, isFirst: own?.isFirst ?? false })
    return { is: 'taken down', id, wasLive: isLive }
  }

  async function takeDownGone(findListed: (values: JsonObject) => number | null): Promise<TakenDownGone[]> {
    const at = toTimestamp(options.now())
    const countBefore = changedCount
    const gone: TakenDownGone[] = []
    for (const { path, values } of await origins.listExtras(source)) {
      const id = options.hasPath(path) ? null : findListed(values)
      if (id !== null) gone.push({ path, id, outcome: await takeDown(path, await matcher.findByPath(path), at) })
    }
    if (batch !== null) rows.batches.addRecords(batch, changedCount - countBefore)
    return gone
  }

  type Stored = { readonly record: VideoRecord; readonly version: number }
  type Accepted = Pick<NewVersion, 'record' | 'changed'>

  async function countVersion({ record, changed }: Accepted, before: NewVersion['before'], at: Timestamp) {
    changedCount++
    const { reason } = options
    return { record, before, changed, author: author.name, reason, batch: await ensureBatch(at) } satisfies NewVersion
  }

  const toOrigin = ({ path, changes }: ImportedTalk, id: number, version: number): Origin => {
    return { id, source, path, imported: changes, version, isFirst: true }
  }

  /** Whether the record's first source is this one, or it has none yet. */
  const isOwn = (first: Origin | null) => first === null || first.source === source

  /** Stores what the source has now; returns whether its extras changed. The first source of a record keeps its extras. */
  async function remember(talk: ImportedTalk, { record, version }: Stored, first: Origin | null): Promise<boolean> {
    const isFirst = isOwn(first)
    if (!isDryRun) origins.save({ ...toOrigin(talk, record.id, version), isFirst })
    return isFirst && (await origins.saveExtras(record.id, talk.toExtras(record.slug), isDryRun))
  }

  async function importOne(talk: ImportedTalk, findErasure: FindErasure, at: Timestamp): Promise<ImportOutcome> {
    const match = newRecords.isAlone() ? null : await matcher.find({ ...talk, changes: names.toOurs(talk.changes) })
    if (talk.isTakenDown) return takeDown(talk.path, match, at)
    const erasedAt = await findErasure(talk, match)
    if (erasedAt !== null) return { is: 'erased', at: erasedAt }
    const outcome = match === null ? await create(talk, at) : await update(talk, match, at)
    matcher.take(outcome.id)
    return outcome
  }

  async function runAll(
    talks: readonly ImportedTalk[],
    given: readonly ImportedCategory[],
  ): Promise<readonly ImportOutcome[]> {
    const at = toTimestamp(options.now())
    const countBefore = changedCount
    await newRecords.begin()
    await names.load()
    for (const category of given) await categories.add(category, at)
    const findErasure = await createFindErasure()
    const outcomes: ImportOutcome[] = []
    for (const talk of talks) outcomes.push(await importOne(talk, findErasure, at))
    if (!isDryRun) await newRecords.write()
    if (batch !== null) rows.batches.addRecords(batch, changedCount - countBefore)
    return outcomes
  }

  /** Runs `work` in one transaction; if it fails, the counts are reset too. */
  async function transact<T>(work: () => Promise<T>): Promise<T> {
    // The server may have written since the last group.
    rows.forget()
    if (isDryRun) return db.transaction('read', work)
    const before = { batch, changedCount }
    try {
      return await db.transaction('write', work)
    } catch (error) {
      batch = before.batch
      changedCount = before.changedCount
      throw error
    }
  }

  return {
    batch: () => batch,
    run: (talks, given) => transact(() => runAll(talks, given)),
    takeDownGone: (findListed) => transact(() => takeDownGone(findListed)),
  }
}
