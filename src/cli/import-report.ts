import type { Unfit } from '../archive/fit.ts'
import type { IncomingProblem } from '../archive/incoming.ts'
import type { JsonObject } from '../record/json.ts'
import { toCounted } from '../record/text/counted.ts'
import { toPrintable } from '../record/text/printable.ts'
import { toAliasPath } from '../store/derive/former-paths.ts'
import type { ImportedRecord, ImportOutcome, MappedName } from '../store/import/imported-talk.ts'

/** The parts of a talk that the report shows besides its outcome. */
interface ReportedTalk {
  readonly path: string
  /** The id in the source. */
  readonly id: number | null
  readonly unfit: readonly Unfit[]
  /** Values that fit no field. */
  readonly kept?: { readonly values: JsonObject } | null
}

/** The outcome for everything in a source. */
export interface ImportReport {
  add(talk: ReportedTalk, outcome: ImportOutcome): void
  /** Values of a category that do not fit. */
  addUnfit(path: string, unfit: readonly Unfit[]): void
  refuse(problem: Omit<IncomingProblem, 'is'>): void
  setBatch(batch: number | null): void
  refusedCount(): number
  /** Whether the source could not be reached, or no longer could. */
  isUnreachable(): boolean
  toJson(): string
  toText(): string
}

type Named = { readonly file: string }

interface Lists {
  readonly refused: (Named & { readonly field: string | null; readonly reason: string })[]
  readonly renumbered: (Named & { readonly id: number; readonly new_id: number; readonly reason: string })[]
  /** Fields that people have changed here, or that a takedown has set, where the source has other values. */
  readonly kept: (Named & { readonly id: number; readonly fields: readonly string[] })[]
  /** Values that do not fit their fields. */
  readonly unfit: (Named & {
    readonly field: string
    readonly reason: string
    readonly left: 'empty' | 'as it was'
    /** Whether the value is kept in the extras of the record. */
    readonly kept: boolean
  })[]
  readonly taken_down: (Named & {
    readonly id: number | null
    readonly record: number | null
    readonly was_live: boolean
  })[]
  readonly erased: (Named & { readonly at: string })[]
  readonly live_again: (Named & { readonly id: number })[]
  /** Names of the source that are aliases here, and the current names that records got instead. */
  readonly mapped: (Named & MappedName)[]
  /** Chapters that have their own records in the source, which are missing here. */
  readonly lost_parts: (Named & { readonly id: number; readonly videos: readonly number[] })[]
  /** Former paths of talks that lead nowhere here: only paths with an id and a slug do (decision 47). */
  readonly ignored_aliases: (Named & { readonly id: number; readonly alias: string })[]
}

const toEmptyLists = (): Lists => ({
  refused: [],
  renumbered: [],
  kept: [],
  unfit: [],
  taken_down: [],
  erased: [],
  live_again: [],
  mapped: [],
  lost_parts: [],
  ignored_aliases: [],
})

const maxShown = 20
const maxLineLength = 1_000

export function createImportReport(isDryRun: boolean): ImportReport {
  const counts = { created: 0, updated: 0, unchanged: 0 }
  const lists = toEmptyLists()
  let batch: number | null = null
  let isUnreachable = false
  /** A file with several errors counts once. */
  const countFiles = () => new Set(lists.refused.map(({ file }) => file)).size

  function addTakenIn({ path: file, id: ownId, unfit, kept: extras }: ReportedTalk, outcome: ImportedRecord): void {
    const { id, renumbered: reason, kept } = outcome
    counts[outcome.is]++
    if (reason !== null && ownId !== null) lists.renumbered.push({ file, id: ownId, new_id: id, reason })
    if (kept.length > 0) lists.kept.push({ file, id, fields: kept })
    if (outcome.isLiveAgain) lists.live_again.push({ file, id })
    for (const each of outcome.mapped) lists.mapped.push({ file, ...each })
    if (outcome.lostParts.length > 0) lists.lost_parts.push({ file, id, videos: outcome.lostParts })
    const alias = extras?.values.alias
    if (typeof alias === 'string' && !leadsHere(alias, id)) lists.ignored_aliases.push({ file, id, alias })
    for (const { field, reason, instead } of unfit) {
      const left = outcome.is === 'created' ? 'empty' : 'as it was'
      const text = left === 'empty' && instead !== undefined ? `${reason} ${instead}`.trim() : reason
      lists.unfit.push({ file, field, reason: text, left, kept: outcome.hasExtras })
    }
  }

  function addUnfit(file: string, unfit: readonly Unfit[]): void {
    for (const { field, reason } of unfit) lists.unfit.push({ file, field, reason, left: 'empty', kept: true })
  }

  return {
    addUnfit,
    add(talk, outcome) {
      const { path: file, id } = talk
      if (outcome.is === 'erased') lists.erased.push({ file, at: outcome.at })
      else if (outcome.is === 'taken down') {
        lists.taken_down.push({ file, id, record: outcome.id, was_live: outcome.wasLive })
      } else addTakenIn(talk, outcome)
    },
    refuse({ path: file, field, reason, isUnreachable: isAway = false }) {
      lists.refused.push({ file, field, reason })
      isUnreachable ||= isAway
    },
    setBatch(number) {
      batch = number
    },
    refusedCount: countFiles,
    isUnreachable: () => isUnreachable,
    toJson: () => `${JSON.stringify({ ...counts, ...lists, batch }, null, 2)}\n`,
    toText() {
      const would = isDryRun ? ' (dry run: nothing was stored)' : ''
      const { created, updated, unchanged } = counts
      const [down, erased] = [lists.taken_down.length, lists.erased.length]
      const rest = `${down === 0 ? '' : `, ${down} taken down`}${erased === 0 ? '' : `, ${erased} erased`}${would}`
      const first = `${created} created, ${updated} updated, ${unchanged} unchanged, ${countFiles()} refused${rest}`
      const undo = `This import is batch ${batch}. To undo it: POST /api/v2/batches/${batch}/undo`
      const lines = [first, ...toListLines(lists), ...(batch === null ? [] : [undo])]
      return `${lines.map(toShown).join('\n')}\n`
    },
  }
}

/** Whether this path leads to the record, unless it belongs to another one. */
function leadsHere(alias: string, id: number): boolean {
  const path = toAliasPath(alias) ?? ''
  return alias === '' || path === `video/${id}` || /^video\/[1-9]\d{0,15}\/[^/]/.test(path)
}

/** The name of a field in a source may have any length. */
function toShown(line: string): string {
  return toPrintable(line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line)
}

function toListLines(lists: Lists): readonly string[] {
  return [
    ...toSome(lists.refused, ({ file, field, reason }) => `refused ${file}${field ? `, ${field}` : ''}: ${reason}`),
    ...toSome(
      lists.renumbered,
      (each) => `${each.file}: id ${each.id} is ${each.reason}, so the record has id ${each.new_id}`,
    ),
    ...toListed('changed here and in the source; the values here were kept', lists.kept, ({ file, id, fields }) => {
      return `kept in record ${id} (${file}): ${fields.join(', ')}`
    }),
    ...toUnfitLines('kept with the record', lists.unfit, true),
    ...toUnfitLines('not kept, since the record came from another source', lists.unfit, false),
    ...toListed('not published, as the source requests', lists.taken_down, toTakedownText),
    ...toListed('erased here before, and skipped', lists.erased, ({ file, at }) => {
      return `${file}: erased on ${at.slice(0, 10)}; use --bring-back-erased to import it again`
    }),
    ...toListed('live again, after an import was undone', lists.live_again, ({ file, id }) => `record ${id} (${file})`),
    ...toMappedLines(lists.mapped),
    ...toListed('chapters name talks that are not here', lists.lost_parts, ({ file, id, videos }) => {
      return `record ${id} (${file}): ${videos.join(', ')}`
    }),
    ...toListed(
      'addresses on other sites lead nowhere here (those of the form /video/ID/SLUG do)',
      lists.ignored_aliases,
      ({ file, id, alias }) => `record ${id} (${file}): ${alias}`,
    ),
  ]
}

/** Each alias once, with the number of its talks. */
function toMappedLines(all: Lists['mapped']): readonly string[] {
  const talks = Map.groupBy(all, ({ kind, from, to }) => `${kind} ${JSON.stringify(from)} is now ${JSON.stringify(to)}`)
  if (all.length === 0) return []
  return [
    `${toCounted(all.length, 'former name')} replaced by the current one:`,
    ...toSome([...talks], ([text, same]) => `${text} (${same.length})`),
  ]
}

function toUnfitLines(what: string, all: Lists['unfit'], isKept: boolean): readonly string[] {
  const wanted = all.filter(({ kept }) => kept === isKept)
  return toListed(`values that do not fit their fields, ${what}`, wanted, ({ file, field, reason, left }) => {
    return `left ${left} in ${file}, ${field}: ${reason}`
  })
}

function toTakedownText({ file, id, record, was_live: wasLive }: Lists['taken_down'][number]): string {
  const own = id === null ? '' : ` (id ${id})`
  if (record === null) return `${file}${own}: not imported`
  return `${file}${own}: record ${record} ${wasLive ? 'was live and is now a draft' : 'is a draft'}`
}

function toListed<T>(what: string, all: readonly T[], toLine: (one: T) => string): readonly string[] {
  return all.length === 0 ? [] : [`${all.length} ${what}:`, ...toSome(all, toLine)]
}

function toSome<T>(all: readonly T[], toLine: (one: T) => string): readonly string[] {
  const shown = all.slice(0, maxShown).map((one) => `  ${toLine(one)}`)
  return all.length <= maxShown
    ? shown
    : [...shown, `  … and ${all.length - maxShown} more; use --report FILE to see all`]
}
