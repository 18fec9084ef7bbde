import type { ChangeCommand } from '../../record/command.ts'
import { decide, decideCreate } from '../../record/decide.ts'
import { fromBody } from '../../record/json-body.ts'
import { isSameJson, type JsonObject } from '../../record/json-value.ts'
import { type Changes, toDefaults, type VideoRecord } from '../../record/record.ts'
import { type Timestamp, toTimestamp } from '../../record/timestamp.ts'
import type { ImportedCategory, ImportedTalk, Importer, ImportOptions, ImportOutcome, TakenIn } from '../import.ts'
import type { Database } from './database.ts'
import { createErasedOrigins, hasErasedOrigins } from './erased-origins.ts'
import { createMatcher, type Match } from './matcher.ts'
import { createNewcomers } from './newcomers.ts'
import { createOriginRows, type Origin } from './origin-rows.ts'
import { createRows } from './rows.ts'
import type { NewVersion } from './version-rows.ts'

export function createImporter(db: Database, options: ImportOptions): Importer {
  const { source, state, isRehearsal } = options
  const author = { name: options.author, role: 'admin' } as const
  const rows = createRows(db)
  const origins = createOriginRows(db)
  const erased = createErasedOrigins(db)
  const matcher = createMatcher(rows, origins, options)
  const newcomers = createNewcomers(db, { rows, origins, isTaken: matcher.isTaken })
  let batch: number | null = null
  let changedCount = 0
  /** Titles that the source still has, and what they are here. */
  const renamed = new Map<string, string>()

  function toBatch(at: Timestamp): number {
    const { reason } = options
    const plain = { kind: 'import', undoes: null, rename: null, records: 0 } as const
    batch ??= rows.batches.add({ ...plain, at, author: author.name, reason })
    return batch
  }

  function create(talk: ImportedTalk, at: Timestamp): TakenIn {
    const { changes } = talk
    const { id, renumbered } = newcomers.toId(talk.id)
    if (isRehearsal) return { is: 'created', id, renumbered }
    const identity = { id, slug: newcomers.toSlug(talk), ...(talk.added === null ? {} : { added: talk.added }) }
    const category = renamed.get(changes.category ?? '') ?? changes.category ?? ''
    const wanted = { ...changes, category, state: state === 2 ? state : (changes.state ?? state) }
    const decision = decideCreate({ kind: 'create', author, changes: wanted }, identity, at)
    if (decision.is !== 'accepted') throw new Error(`${talk.path} could not be made: ${decision.is}`)
    // A category that was renamed here has other words.
    const words = category === changes.category ? talk.words : null
    newcomers.add({ version: { ...toVersion(decision, null, at), words }, ...toOrigin(talk, decision.record) })
    return { is: 'created', id, renumbered }
  }

  function update(talk: ImportedTalk, id: number, origin: Origin | null, at: Timestamp): TakenIn {
    const stored = rows.read(id)
    if (stored === null) throw new Error(`record ${id} is in the lists, but is not there`)
    const record = fromBody(stored.body)
    const decision = decide({ record, mark: stored.mark }, toCommand(talk, id, origin), at)
    if (decision.is === 'refused') throw new Error(`record ${id} could not be changed: ${decision.refusal.code}`)
    const isChanged = decision.is === 'accepted'
    if (isChanged && !isRehearsal) rows.store(toVersion(decision, stored, at))
    const isMoreKnown = remember(talk, isChanged ? decision.record : record)
    return { is: isChanged || isMoreKnown ? 'updated' : 'unchanged', id, renumbered: null }
  }

  /** What the source has not changed since last time is left as people here have made it. */
  function toCommand({ changes }: ImportedTalk, id: number, origin: Origin | null): ChangeCommand {
    const wanted = origin === null ? changes : toDifference(origin.imported, changes)
    return { id, author, precondition: {}, kind: 'merge', changes: wanted }
  }

  type Accepted = Pick<NewVersion, 'record' | 'changed'>

  function toVersion({ record, changed }: Accepted, before: NewVersion['before'], at: Timestamp): NewVersion {
    changedCount++
    return { record, before, changed, author: author.name, reason: options.reason, batch: toBatch(at) }
  }

  function toOrigin(talk: ImportedTalk, record: VideoRecord) {
    return {
      origin: { id: record.id, source, path: talk.path, imported: talk.changes },
      extras: talk.toExtras(record.slug),
    }
  }

  /** Whether the source says more or less than last time. A record of another source stays that one's. */
  function remember(talk: ImportedTalk, record: VideoRecord): boolean {
    const known = origins.findOf(record.id)
    if (known !== null && known.source !== source) return false
    const { origin, extras } = toOrigin(talk, record)
    if (!isRehearsal) origins.save(origin)
    return origins.saveExtras(record.id, extras, isRehearsal)
  }

  /** One that was renamed here keeps its name; a description is taken unless people here have changed theirs. */
  function addCategory({ path, title, description, extras }: ImportedCategory, at: Timestamp): void {
    const deed = { at, author: author.name, reason: options.reason }
    const known = origins.findCategory(source, path)
    const said = known === null ? {} : (known.basis.said as JsonObject)
    const isSame = known !== null && said.title === title
    const categoryId = isSame ? known.categoryId : rows.categories.toId(title, deed)
    const now = rows.categories.toTitle(categoryId)
    if (now !== null && now !== title) renamed.set(title, now)
    const current = rows.categories.toDescription(categoryId)
    const isOurs = current === '' || current === said.description
    if (isOurs && current !== description) rows.categories.update(categoryId, { description }, deed)
    origins.saveCategory({ source, path, categoryId, extras })
  }

  /** What was erased here stays away, even if it could be taken for another record; unless somebody says otherwise. */
  function createErasureFinder(): (talk: ImportedTalk, match: Match | null) => Timestamp | null {
    if (!hasErasedOrigins(db)) return () => null
    return ({ path, changes }, match) => {
      if (match !== null && match.origin !== null) return null
      const whences = [{ source, path }, ...(match === null ? [{ url: changes.source_url ?? '' }] : [])]
      if (!options.mayBringBack) return whences.map(erased.find).find((at) => at !== null) ?? null
      if (!isRehearsal) whences.forEach(erased.remove)
      return null
    }
  }

  function runAll(talks: readonly ImportedTalk[], categories: readonly ImportedCategory[]): readonly ImportOutcome[] {
    const at = toTimestamp(options.now())
    const countBefore = changedCount
    newcomers.begin()
    if (!isRehearsal) for (const category of categories) addCategory(category, at)
    const findErasure = createErasureFinder()
    const outcomes = talks.map((talk): ImportOutcome => {
      const match = newcomers.isAlone() ? null : matcher.find(talk)
      const erasedAt = findErasure(talk, match)
      if (erasedAt !== null) return { is: 'erased', at: erasedAt }
      const outcome = match === null ? create(talk, at) : update(talk, match.id, match.origin, at)
      matcher.take(outcome.id)
      return outcome
    })
    if (!isRehearsal) newcomers.write()
    if (batch !== null) rows.batches.addRecords(batch, changedCount - countBefore)
    return outcomes
  }

  return {
    batch: () => batch,
    run(talks, categories) {
      // Others may have written since the last group.
      rows.forget()
      if (isRehearsal) return db.transaction(() => runAll(talks, categories))()
      const before = { batch, changedCount }
      try {
        return db.transaction(() => runAll(talks, categories)).immediate()
      } catch (error) {
        batch = before.batch
        changedCount = before.changedCount
        throw error
      }
    },
  }
}

/** What the source has no word for any more goes back to its default. */
function toDifference(before: Changes, after: Changes): Changes {
  const [old, now]: [JsonObject, JsonObject] = [before, { ...toDefaults(), ...after }]
  const names = Object.keys(now).filter((name) => name in after || name in before)
  // Names and values are those of `after` and of the defaults.
  return Object.fromEntries(
    names.filter((name) => !isSameJson(old[name], now[name])).map((name) => [name, now[name]]),
  ) as Changes
}
