import { type CompanionChange, type CompanionName, companionNames, toKind } from '../../record/companion/kinds.ts'
import { decide, decideCreate, decideImportedState, toUpdated } from '../../record/decide.ts'
import { isSameJson, type JsonObject } from '../../record/json.ts'
import { type Changes, fromBody, toDefaults, type VideoRecord } from '../../record/record.ts'
import { draft, live } from '../../record/state.ts'
import { type FieldHistory, judgeImported, mergeThreeWays } from '../../record/three-way-merge.ts'
import { type Timestamp, toTimestamp } from '../../record/timestamp.ts'
import { listImported } from '../companion/companion-rows.ts'
import type { Database } from '../database.ts'
import type { NameChange } from '../write/names/name-change.ts'
import { createRecordRows, type RecordRows } from '../write/record-rows.ts'
import type { NewVersion, WritableRecord } from '../write/version-rows.ts'
import { createFieldHistories } from './field-history.ts'
import {
  createImportCategories,
  createImportNames,
  type ImportCategories,
  type ImportNames,
  importSpeaker,
} from './import-names.ts'
import type {
  Extras,
  ImportedCategory,
  ImportedRecord,
  ImportedSpeaker,
  ImportedTalk,
  Importer,
  ImportOptions,
  ImportOutcome,
  TakenDownGone,
} from './imported-talk.ts'
import { createErasureFinder, createMatcher, type FindErasure, type MatchedRecord, type Matcher } from './matcher.ts'
import { createNewRecords, type NewRecords } from './new-records.ts'
import {
  createOriginRows,
  isDraftOf,
  isDraftOfOther,
  type OriginRows,
  pick,
  type RecordOrigin,
  sortOrigins,
  withoutUnfit,
} from './origin-rows.ts'
import { withPartsHere, withUnsaid } from './served-companions.ts'

const takedownReason = 'The source lists it in NO_PUBLISH.json.'

export function createImporter(db: Database, options: ImportOptions): Importer {
  const importer = new TalkImporter(db, options)
  return {
    batch: () => importer.batch(),
    run: (talks, categories, speakers) => importer.run(talks, categories, speakers),
    takeDownGone: (findListed) => importer.takeDownGone(findListed),
  }
}

type Stored = { readonly record: VideoRecord; readonly version: number }
type Accepted = Pick<NewVersion, 'record' | 'changed'>

/** Imports groups of talks, each group in one transaction. */
class TalkImporter {
  readonly #db: Database
  readonly #options: ImportOptions
  readonly #author: { readonly name: string; readonly role: 'admin' }
  readonly #rows: RecordRows
  readonly #origins: OriginRows
  readonly #categories: ImportCategories
  readonly #names: ImportNames
  readonly #matcher: Matcher
  readonly #newRecords: NewRecords
  readonly #createFindErasure: ReturnType<typeof createErasureFinder>
  readonly #createHistory: ReturnType<typeof createFieldHistories>
  /** Inserted with the first version. */
  #batch: number | null = null
  #changedCount = 0
  /** The records of this run by their paths, also those that are not written yet. */
  readonly #taken = new Map<string, number>()
  /** Changes of categories and speakers that were here before. */
  #parts: readonly NameChange[] = []

  constructor(db: Database, options: ImportOptions) {
    this.#db = db
    this.#options = options
    this.#author = { name: options.author, role: 'admin' }
    this.#rows = createRecordRows(db)
    this.#origins = createOriginRows(db)
    this.#categories = createImportCategories(this.#rows.categories, this.#origins, options)
    this.#names = createImportNames(db, this.#categories.toTitle)
    this.#matcher = createMatcher(this.#rows, this.#origins, options)
    const { isTaken } = this.#matcher
    this.#newRecords = createNewRecords(db, { rows: this.#rows, origins: this.#origins, isTaken })
    this.#createFindErasure = createErasureFinder(db, options)
    this.#createHistory = createFieldHistories(db, this.#rows, this.#names.toHere)
  }

  batch(): number | null {
    return this.#batch
  }

  run(
    talks: readonly ImportedTalk[],
    categories: readonly ImportedCategory[],
    speakers: readonly ImportedSpeaker[] = [],
  ): Promise<readonly ImportOutcome[]> {
    return this.#transact(() => this.#runAll(talks, categories, speakers))
  }

  takeDownGone(findListed: (values: JsonObject) => number | null): Promise<TakenDownGone[]> {
    return this.#transact(() => this.#takeDownGone(findListed))
  }

  async #ensureBatch(at: Timestamp): Promise<number> {
    const { reason } = this.#options
    const plain = { kind: 'import', undoes: null, state: 'done', total: 0, key: null } as const
    this.#batch ??= await this.#rows.batches.add({ ...plain, at, author: this.#author.name, reason })
    return this.#batch
  }

  async #create(talk: ImportedTalk, at: Timestamp): Promise<ImportedRecord> {
    const { changes } = talk
    const { state } = this.#options
    const { id, renumbered } = await this.#newRecords.claimId(talk.id)
    const mapped = this.#names.listMapped(changes)
    const created = {
      is: 'created',
      id,
      renumbered,
      kept: [],
      isLiveAgain: false,
      hasExtras: true,
      mapped,
      lostParts: [],
    } as const
    if (this.#options.isDryRun) return created
    const identity = {
      id,
      slug: await this.#newRecords.claimSlug(talk),
      ...(talk.added === null ? {} : { added: talk.added }),
    }
    const wanted = { ...this.#names.toOurs(changes), state: state === draft ? state : (changes.state ?? state) }
    const decision = decideCreate({ kind: 'create', author: this.#author, changes: wanted }, identity, at)
    if (decision.is !== 'accepted') throw new Error(`${talk.path} could not be created: ${decision.is}`)
    const version = await this.#countVersion(decision, null, at)
    const extras = talk.toExtras(decision.record.slug)
    this.#newRecords.add({
      version: { ...version, companions: listImported(extras) },
      origin: this.#toOrigin(withoutUnfit(talk), id, 1),
      extras,
    })
    return created
  }

  async #read(id: number): Promise<WritableRecord> {
    const stored = await this.#rows.read(id)
    if (stored === null) throw new Error(`record ${id} is in the lists, but does not exist`)
    return stored
  }

  async #update(given: ImportedTalk, { id, isKnown }: MatchedRecord, at: Timestamp): Promise<ImportedRecord> {
    const stored = await this.#read(id)
    const record = fromBody(stored.body)
    const known = sortOrigins(await this.#origins.listOf(id), this.#options.source, given.path)
    const { own } = known
    const isOwn = this.#isOwn(known.first)
    const before = isOwn ? await this.#origins.findExtras(id) : null
    const talk = withUnsaid(withoutUnfit(given), before)
    const history = this.#createHistory(record, own, talk, before)
    const { state: imported, ...theirs } = this.#toTheirs(talk, own)
    const wasTakenDown = isDraftOf(own, record) && imported === undefined
    const wasUndone =
      isKnown && !wasTakenDown && record.state === draft && (await history.undoneImport('state')) === live
    const isTakenDownElsewhere = await isDraftOfOther(known.others, record, history)
    const { state: asked, staysDraft } = decideImportedState({
      ...{ current: record.state, imported, wasTakenDown, wasUndone, isTakenDownElsewhere },
      isDraftsOnly: this.#options.state === draft,
    })
    const wanted = asked === null ? theirs : { ...theirs, state: asked }
    const { changes, kept } = await mergeThreeWays(record, wanted, history)
    const companions = isOwn
      ? await this.#mergeCompanions(id, talk.toExtras(record.slug), history)
      : { changes: [], kept: [] }
    const changed = await this.#change(stored, record, changes, at, this.#options.reason, companions.changes)
    const now = { record: changed?.record ?? record, version: changed?.version ?? stored.version }
    // Values that did not fit keep their last imported value as merge base.
    const keptNames = wasTakenDown ? [...talk.unfitNames, 'state'] : talk.unfitNames
    const said = { ...pick(own?.imported ?? {}, keptNames), ...talk.changes }
    const isMoreKnown = await this.#remember({ ...talk, changes: said }, now, known.first)
    return {
      is: changed !== null || isMoreKnown ? 'updated' : 'unchanged',
      id,
      renumbered: null,
      kept: [...kept, ...(staysDraft ? (['state'] as const) : []), ...companions.kept],
      isLiveAgain: changes.state === live && wasUndone,
      hasExtras: isOwn,
      mapped: this.#names.listMapped(talk.changes),
      lostParts: [],
    }
  }

  /** Each companion takes what the source has now, unless people have edited it, as a field does. */
  async #mergeCompanions(id: number, given: Extras | null, history: FieldHistory) {
    const [changes, kept]: [CompanionChange[], CompanionName[]] = [[], []]
    const now = await this.#rows.companions.findAll(id)
    for (const name of companionNames) {
      const { fromSource, empty } = toKind(name)
      const theirs = given === null ? empty : fromSource(given)
      const content = now[name]
      if (isSameJson(theirs, content)) continue
      const verdict = await judgeImported(name, theirs, content, isSameJson(content, empty), history)
      if (verdict === 'take') changes.push({ name, content: theirs })
      else if (verdict === 'keep') kept.push(name)
    }
    return { changes, kept }
  }

  /** The new record and its version; null if nothing changes. */
  async #change(
    stored: WritableRecord,
    record: VideoRecord,
    changes: Changes,
    at: Timestamp,
    reason: string | null,
    companions: readonly CompanionChange[] = [],
  ) {
    const command = { id: record.id, author: this.#author, precondition: {}, kind: 'merge', changes } as const
    const decision = decide({ record, versionTag: stored.versionTag }, command, at)
    if (decision.is === 'refused') throw new Error(`record ${record.id} could not be changed: ${decision.refusal.code}`)
    if (decision.is === 'unchanged' && companions.length === 0) return null
    // Only companions change then; the time is theirs.
    const next = decision.is === 'unchanged' ? { record: toUpdated(record, at), changed: [] } : decision
    if (!this.#options.isDryRun)
      await this.#rows.store({ ...(await this.#countVersion(next, stored, at)), reason, companions })
    return decision.is === 'unchanged'
      ? { record, version: stored.version }
      : { record: decision.record, version: stored.versions + 1 }
  }

  /** The values of the source. A field that it no longer has gets its default. */
  #toTheirs({ changes, unfitNames }: ImportedTalk, origin: RecordOrigin | null): Changes {
    const before = Object.keys(origin?.imported ?? {}).filter((name) => !unfitNames.some((each) => each === name))
    const lost = Object.entries(toDefaults()).filter(([name]) => !(name in changes) && before.includes(name))
    return { ...Object.fromEntries(lost), ...this.#names.toOurs(changes) }
  }

  /** A takedown makes the record a draft, even if people have edited it. */
  async #takeDown(path: string, match: MatchedRecord | null, at: Timestamp): Promise<ImportOutcome> {
    if (match === null) return { is: 'taken down', id: null, wasLive: false }
    const { id } = match
    this.#matcher.take(id)
    const stored = await this.#read(id)
    const isLive = stored.state === live
    const reason = this.#options.reason ?? takedownReason
    const changed = isLive ? await this.#change(stored, fromBody(stored.body), { state: draft }, at, reason) : null
    const { own } = sortOrigins(await this.#origins.listOf(id), this.#options.source, path)
    // Keeps it a draft when the list no longer names it, and when other sources publish it.
    const imported = { ...own?.imported, state: draft } as const
    const version = changed?.version ?? stored.version
    if (!this.#options.isDryRun)
      this.#origins.save({ id, source: this.#options.source, path, imported, version, isFirst: own?.isFirst ?? false })
    return { is: 'taken down', id, wasLive: isLive }
  }

  async #takeDownGone(findListed: (values: JsonObject) => number | null): Promise<TakenDownGone[]> {
    const at = toTimestamp(this.#options.now())
    const countBefore = this.#changedCount
    const gone: TakenDownGone[] = []
    for (const { path, values } of await this.#origins.listExtras(this.#options.source)) {
      const id = this.#options.hasPath(path) ? null : findListed(values)
      if (id !== null)
        gone.push({ path, id, outcome: await this.#takeDown(path, await this.#matcher.findByPath(path), at) })
    }
    if (this.#batch !== null) this.#rows.batches.addRecords(this.#batch, this.#changedCount - countBefore)
    return gone
  }

  async #countVersion({ record, changed }: Accepted, before: NewVersion['before'], at: Timestamp) {
    this.#changedCount++
    const { reason } = this.#options
    return {
      record,
      before,
      changed,
      author: this.#author.name,
      reason,
      batch: await this.#ensureBatch(at),
    } satisfies NewVersion
  }

  #toOrigin({ path, changes }: ImportedTalk, id: number, version: number): RecordOrigin {
    return { id, source: this.#options.source, path, imported: changes, version, isFirst: true }
  }

  /** Whether the record's first source is this one, or it has none yet. */
  #isOwn(first: RecordOrigin | null): boolean {
    return first === null || first.source === this.#options.source
  }

  /** Stores the values of the source; returns whether extras changed. A record has the extras of its first source. */
  async #remember(talk: ImportedTalk, { record, version }: Stored, first: RecordOrigin | null): Promise<boolean> {
    const isFirst = this.#isOwn(first)
    if (!this.#options.isDryRun) this.#origins.save({ ...this.#toOrigin(talk, record.id, version), isFirst })
    return isFirst && (await this.#origins.saveExtras(record.id, talk.toExtras(record.slug), this.#options.isDryRun))
  }

  async #importOne(talk: ImportedTalk, findErasure: FindErasure, at: Timestamp): Promise<ImportOutcome> {
    const match = this.#newRecords.isAlone()
      ? null
      : await this.#matcher.find({ ...talk, changes: this.#names.toOurs(talk.changes) })
    if (talk.isTakenDown) return this.#takeDown(talk.path, match, at)
    const erasedAt = await findErasure(talk, match)
    if (erasedAt !== null) return { is: 'erased', at: erasedAt }
    const { talk: ours, lost } = await withPartsHere(talk, (id) => this.#findPart(id))
    const outcome = match === null ? await this.#create(ours, at) : await this.#update(ours, match, at)
    this.#matcher.take(outcome.id)
    this.#taken.set(talk.path, outcome.id)
    return { ...outcome, lostParts: lost }
  }

  /** The record that a record of this source, a server, is here. */
  async #findPart(id: number): Promise<number | null> {
    const path = `id ${id}`
    return this.#taken.get(path) ?? (await this.#origins.findId(this.#options.source, path))
  }

  async #runAll(
    talks: readonly ImportedTalk[],
    given: readonly ImportedCategory[],
    speakers: readonly ImportedSpeaker[],
  ): Promise<readonly ImportOutcome[]> {
    const at = toTimestamp(this.#options.now())
    const countBefore = this.#changedCount
    await this.#newRecords.begin()
    await this.#names.load()
    for (const category of given) await this.#addPart(await this.#categories.add(category, at), at)
    const findErasure = await this.#createFindErasure()
    const outcomes: ImportOutcome[] = []
    for (const talk of talks) outcomes.push(await this.#importOne(talk, findErasure, at))
    if (!this.#options.isDryRun) await this.#newRecords.write()
    for (const speaker of this.#options.isDryRun ? [] : speakers) await this.#addSpeaker(speaker, at)
    if (this.#batch !== null) this.#rows.batches.addRecords(this.#batch, this.#changedCount - countBefore)
    return outcomes
  }

  async #addSpeaker(speaker: ImportedSpeaker, at: Timestamp): Promise<void> {
    const authorship = { at, author: this.#author.name, reason: this.#options.reason }
    await this.#addPart(await importSpeaker(this.#rows, speaker, authorship), at)
  }

  async #addPart(part: NameChange | null, at: Timestamp): Promise<void> {
    if (part === null) return
    this.#parts = [...this.#parts, part]
    this.#rows.batches.setParts(await this.#ensureBatch(at), this.#parts)
  }

  /** Runs `work` in one transaction; if it fails, the counts are reset too. */
  async #transact<T>(work: () => Promise<T>): Promise<T> {
    // The server may have written since the last group.
    this.#rows.forget()
    if (this.#options.isDryRun) return this.#db.transaction('read', work)
    const before = { batch: this.#batch, changedCount: this.#changedCount, parts: this.#parts }
    try {
      return await this.#db.transaction('write', work)
    } catch (error) {
      this.#batch = before.batch
      this.#changedCount = before.changedCount
      this.#parts = before.parts
      throw error
    }
  }
}
