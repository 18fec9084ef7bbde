import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { ChangedName } from '../../src/record/companion/kinds.ts'
import { createImporter } from '../../src/store/import/importer.ts'
import { runs, sample } from '../harness/runs.ts'
import { type ListStore, openSqliteStore } from './list-stores.ts'
import {
  anyAuthor,
  anyTalk,
  engines,
  expectCopies,
  listProblems,
  readValues,
  toLinks,
  toParts,
  toUrl,
  toUrls,
  word,
} from './random-companions.ts'

// Runner: slow

const sources = ['quay', 'pier'] as const
const anySource = fc.constantFrom(...sources)
const [anyUrls, anyParts] = [fc.uniqueArray(word), fc.array(word, { maxLength: 2 })]
const anyTurn = fc.oneof(
  fc.record({
    ...{ is: fc.constant('import' as const), source: anySource, talk: anyTalk, title: word },
    // Null: the source has nothing that belongs to the talk.
    said: fc.option(fc.record({ urls: anyUrls, parts: anyParts })),
  }),
  fc.record({ is: fc.constant('title' as const), talk: anyTalk, by: anyAuthor, title: word }),
  fc.record({ is: fc.constant('related' as const), talk: anyTalk, by: anyAuthor, urls: anyUrls }),
  fc.record({ is: fc.constant('chapters' as const), talk: anyTalk, by: anyAuthor, parts: anyParts }),
)
type Turn = typeof anyTurn extends fc.Arbitrary<infer T> ? T : never
type ImportTurn = Extract<Turn, { readonly is: 'import' }>

/** A talk as a source has it. Both sources have its recording, under paths of their own. */
const toTalk = ({ source, talk, title, said }: ImportTurn) => ({
  ...{
    path: `${source} ${talk}`,
    id: null,
    slug: null,
    added: null,
    updated: null,
    unfitNames: [],
    isTakenDown: false,
  },
  changes: { title, category: 'C', source_url: toUrl(`talk-${talk}`) },
  toExtras: () =>
    said && { values: { related_urls: said.urls.map(toUrl), ...toParts(said.parts) }, basis: { said: {}, absent: [] } },
})

/** A value of a talk in a naive model: as it is, as an import set it last, and as each source said it last. */
class ImportedValue {
  now = 'a'
  #given = 'a'
  readonly #said = new Map<string, string>()

  /** What people have made of it stays, unless it is what this source said last. Returns whether it stays. */
  import(source: string, wanted: string): boolean {
    const said = this.#said.get(source)
    this.#said.set(source, wanted)
    const isFree = this.now === said || this.now === this.#given
    if (wanted !== said && wanted !== this.now && isFree) [this.now, this.#given] = [wanted, wanted]
    return this.now !== wanted && this.now !== this.#given
  }
}

async function playImports(store: ListStore, first: readonly string[], turns: readonly Turn[]): Promise<void> {
  const create = () => ({ title: new ImportedValue(), related: new ImportedValue(), chapters: new ImportedValue() })
  const model = first.map(create)
  const importOne = async (turn: ImportTurn) => {
    const options = { author: 'import', reason: null, isDryRun: false, hasPath: () => true, now: Date.now }
    const importer = createImporter(store.writing, { ...options, state: 1, source: turn.source })
    const [outcome] = await importer.run([toTalk(turn)], [])
    const values = model[turn.talk]
    if (outcome === undefined || !('kept' in outcome) || values === undefined) throw new Error(JSON.stringify(outcome))
    const kept: ChangedName[] = values.title.import(turn.source, turn.title) ? ['title'] : []
    // A record has what belongs to it from the source that it came from first.
    if (turn.source === first[turn.talk]) {
      if (values.related.import(turn.source, toUrls(turn.said?.urls ?? []))) kept.push('related')
      if (values.chapters.import(turn.source, (turn.said?.parts ?? []).join())) kept.push('chapters')
    }
    expect([turn, outcome.id, outcome.kept]).toEqual([turn, turn.talk + 1, kept])
  }
  for (const [talk, source] of first.entries())
    await importOne({ is: 'import', source: source as 'quay', talk, title: 'a', said: { urls: ['a'], parts: ['a'] } })
  for (const turn of turns) {
    const values = model[turn.talk]
    if (turn.is === 'import') await importOne(turn)
    else if (values !== undefined) {
      const command = { id: turn.talk + 1, author: turn.by, precondition: {} }
      const set = { ...command, kind: 'set companion' } as const
      if (turn.is === 'title') {
        await store.writer.run([{ ...command, kind: 'merge', changes: { title: turn.title } }], new Set())
        values.title.now = turn.title
      } else if (turn.is === 'related') {
        await store.writer.run([{ ...set, name: 'related', body: toLinks(toUrls(turn.urls)) }], new Set())
        values.related.now = toUrls(turn.urls)
      } else {
        await store.writer.run([{ ...set, name: 'chapters', body: toParts(turn.parts) }], new Set())
        values.chapters.now = turn.parts.join()
      }
    }
    for (const [talk, { title, related, chapters }] of model.entries()) {
      const wanted = { title: title.now, related: related.now, chapters: chapters.now }
      expect([turn, await readValues(store.writing, talk + 1)]).toEqual([turn, { ...wanted, 'transcripts/en': '' }])
    }
  }
  expect(await listProblems(store.writing)).toEqual([])
}

test.each(sample(Object.entries(engines)))(
  'Imports of two sources bring what nobody has edited, and keep and report what people have made of it (%s)',
  async (_, open) => {
    const anyFirst = fc.tuple(anySource, anySource)
    const anyTurns = fc.array(anyTurn, { minLength: 4, maxLength: 14 })
    const property = fc.asyncProperty(anyFirst, anyTurns, async (first, turns) => {
      const store = await open()
      try {
        await playImports(store, first, turns)
        await expectCopies(store, openSqliteStore)
      } finally {
        await store.remove()
      }
    })
    await fc.assert(property, { numRuns: runs(30) })
  },
  300_000,
)
