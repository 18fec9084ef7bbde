import type { Command } from '../../src/record/command.ts'
import type { Outcome } from '../../src/store/store.ts'
import type { Engine } from './engine.ts'
import { mergeNames, rename, toReport, undo } from './model-batch.ts'
import { bulk } from './model-bulk.ts'
import type { ModelVersion } from './model-change.ts'
import type { NameRow } from './model-names.ts'
import { change, create, restore, type State, toStored } from './model-state.ts'
import { answer } from './questions.ts'

/**
 * What the contract says of records and their history, in memory and at its simplest: whole records in lists. It shares
 * no judgement with the product, only the table of fields, the bytes of a record and the player for an address.
 */
export function createModel(): Engine {
  let state: State = {
    ...{ records: [], categories: [] },
    ...{ names: { speaker: [], tag: [] }, batches: [], log: [] },
  }

  function runOne(command: Command, at: string): Outcome {
    const draft = copy(state)
    try {
      const outcome = apply(draft, command, at)
      if (command.isDryRun) return toDryRun(outcome)
      state = draft
      return outcome
    } catch {
      return { is: 'failed', failure: 'bug' }
    }
  }

  const listCurrent = () => state.records.flatMap((versions) => versions.slice(-1).map(({ record }) => record))
  const listWords = (field: 'speakers' | 'tags') => countWords(listCurrent().flatMap((record) => record[field]))

  return {
    async run(commands, nowMs) {
      const at = new Date(nowMs).toISOString().slice(0, 23)
      return commands.map((command) => runOne(command, at))
    },
    async read(id) {
      const current = state.records[id - 1]?.at(-1)
      return current === undefined ? null : toStored(current)
    },
    async readVersion(id, number) {
      const version = state.records[id - 1]?.[number - 1]
      return version === undefined ? null : { ...toLine(version), versionTag: version.versionTag, body: version.body }
    },
    history: async (id) => (state.records[id - 1] ?? []).map(toLine).reverse(),
    async changes(drafts) {
      const lines = state.log.map(({ id, version: { version, at, kind, record, by, reason, changed } }, i) => ({
        line: { seq: i + 1, id, version, at, kind, details: drafts ? { by, reason, fields: changed } : null },
        isPublic: record.state === 1 || kind === 'withdrawn',
      }))
      return lines.filter(({ isPublic }) => drafts || isPublic).map(({ line }) => line)
    },
    async batches() {
      const findUndo = (id: number) => state.batches.findLastIndex((later) => later.undoes === id) + 1
      const lines = state.batches.map((batch, i) => toReport(batch, i + 1, findUndo(i + 1) || null)).reverse()
      return lines.map((line) => ({
        ...line,
        refused: line.refused.slice(0, maxListed),
        left: line.left.slice(0, maxListed),
      }))
    },
    ask: async (parameters, drafts) =>
      answer(
        state.records.flatMap((versions) => versions.slice(-1)),
        parameters,
        drafts,
      ),
    async vocabulary() {
      const idsOf = (title: string) => listCurrent().filter(({ category }) => category === title)
      const categories = state.categories.map(({ slug, title }) => ({ slug, title, ids: idsOf(title).map(toId) }))
      return {
        categories: categories.sort((one, other) => (one.slug < other.slug ? -1 : 1)),
        speakers: listWords('speakers'),
        tags: listWords('tags'),
        names: { speaker: state.names.speaker.map(toRow), tag: state.names.tag.map(toRow) },
      }
    },
    async counts() {
      const { records, log, batches, categories } = state
      return {
        records: records.length,
        versions: log.length,
        batches: batches.length,
        categories: categories.length,
      }
    },
  }
}

/** Records that a list of batches names for each of them. */
const maxListed = 10

function apply(state: State, command: Command, at: string): Outcome {
  switch (command.kind) {
    case 'create':
      return create(state, command, at)
    case 'create category':
      throw new Error('the model makes categories by records alone')
    case 'category':
      return rename(state, command, at)
    case 'rename name':
    case 'merge categories':
      throw new Error('the model merges names alone')
    case 'merge names':
      return mergeNames(state, command, at)
    case 'merge records':
      throw new Error('the model merges no records')
    case 'accept findings':
    case 'hide findings':
      throw new Error('the model has no findings')
    case 'dismiss variants':
      throw new Error('the model has no variants')
    case 'open session':
    case 'end session':
    case 'end other sessions':
      throw new Error('the model has no sessions')
    case 'stop batch':
      throw new Error('the model runs no batch for long')
    case 'schedule publish':
    case 'publish due':
      throw new Error('the model has no schedules')
    case 'check links':
      throw new Error('the model has no links')
    case 'ignore link':
      throw new Error('the model has no addresses')
    case 'set companion':
      throw new Error('companions have a model of their own')
    case 'restore':
      return restore(state, command, at)
    case 'undo':
      return undo(state, command, at)
    case 'bulk':
      return bulk(state, command, at)
    case 'table':
      throw new Error('tables have a model of their own')
    default:
      return change(state, command, at, null)
  }
}

/** What would have happened; nothing has. */
function toDryRun(outcome: Outcome): Outcome {
  if (outcome.is === 'stored' || outcome.is === 'unchanged') return { is: 'dry run', body: outcome.stored.body }
  return outcome
}

/** Versions, batches and lines never change once they are there; lists and categories do. */
function copy({ records, categories, names, batches, log }: State): State {
  return {
    records: records.map((versions) => [...versions]),
    categories: categories.map((category) => ({ ...category })),
    names: { speaker: names.speaker.map((row) => ({ ...row })), tag: names.tag.map((row) => ({ ...row })) },
    batches: [...batches],
    log: [...log],
  }
}

const toRow = ({ name, mergedInto }: NameRow) => ({ name, mergedInto })
const toId = ({ id }: { readonly id: number }) => id

function toLine({ versionTag: _, body: __, record: ___, ...line }: ModelVersion) {
  return line
}

function countWords(words: readonly string[]) {
  const names = [...new Set(words)].sort()
  return names.map((name) => ({ name, count: words.filter((word) => word === name).length }))
}
