import fc from 'fast-check'
import type { BulkPatch, FieldEdits } from '../../src/record/bulk.ts'
import type { RecordChange } from '../../src/record/command.ts'
import { toEmbed } from '../../src/record/embed.ts'
import type { PatchOperation } from '../../src/record/json-patch.ts'
import type { Changes } from '../../src/record/record.ts'
import type { Author } from '../../src/record/role.ts'
import { type NameKind, nameKinds } from './model-names.ts'

/** A command whose records, versions, categories and batches are picked only when it is its turn. */
export type Wish = Who & (Create | Broken | ChangeOne | Restore | Rename | MergeNames | Bulk | RestoreBy | Undo)

interface Who {
  readonly author: Author
  readonly reason?: string
  readonly isDryRun?: true
}
interface Create {
  readonly is: 'create'
  readonly changes: Changes
}
/** Not what parsing lets through: the title is missing, which throws when half of it is written. */
interface Broken {
  readonly is: 'broken'
  readonly category: string
}
interface ChangeOne {
  readonly is: 'change'
  readonly pick: number
  readonly change: RecordChange
  readonly condition: Condition
}
interface Restore {
  readonly is: 'restore'
  readonly pick: number
  readonly version: number
  readonly condition: Condition
}
interface Rename {
  readonly is: 'rename'
  readonly pick: number
  readonly title: string
}
interface MergeNames {
  readonly is: 'merge names'
  readonly of: NameKind
  readonly pick: number
  readonly into: number
}
interface Bulk {
  readonly is: 'bulk'
  /** Records; empty: those of a category, or of a state. */
  readonly picks: readonly number[]
  readonly category: string | null
  readonly state: 1 | 2 | null
  readonly patch: BulkPatch
  readonly isPartial: boolean
  readonly isExpected: boolean
}
/** From the time of a version of a record, to that of another one if `until` is set. */
interface RestoreBy {
  readonly is: 'restore by'
  readonly by: string
  readonly pick: number
  readonly since: number
  readonly until: number | null
  readonly isPartial: boolean
}
interface Undo {
  readonly is: 'undo'
  readonly pick: number
}

/** `back` counts versions before the current one; a mark may be made up, or be another record's. */
export type Condition =
  | { readonly is: 'none' | 'any' | 'nothing' | 'absent' | 'made-up base' | "another record's base" }
  | { readonly is: 'match' | 'base' | 'match and base'; readonly back: number }
  | { readonly is: 'unmodified since'; readonly offsetMs: number }

/** The first two share a slug; a talk called "Talk 2" has the slug that a second "Talk" would get. */
const categories = ['Alpha', 'alpha!', 'Beta', 'Gamma'] as const
const titles = ['Talk', 'talk?', 'Talk 2'] as const
const addresses = ['', 'https://youtu.be/abcdefghijk', 'https://vimeo.com/123', 'https://example.org/v'] as const

const fields = {
  title: fc.constantFrom(...titles),
  category: fc.constantFrom(...categories),
  state: fc.constantFrom<(1 | 2)[]>(1, 2),
  tags: fc.shuffledSubarray(['x', 'y']),
  speakers: fc.shuffledSubarray(['Ann', 'Ben', 'Cem']),
  duration: fc.constantFrom(null, 0, 60),
  summary: fc.constantFrom('', 'é <b>&amp; 💡'),
  source_url: fc.constantFrom(...addresses),
  embed: fc.constantFrom('', toEmbed(addresses[1])),
  recorded: fc.constantFrom(null, '2020-02-29'),
}
const titleOrNew = fc.constantFrom(...categories, 'Delta')
const part = fc.record(fields, { noNullPrototype: true, requiredKeys: [] })
const whole = fc.record(fields, { noNullPrototype: true, requiredKeys: ['title', 'category'] })

const operation = fc.constantFrom<PatchOperation[]>(
  { op: 'replace', path: ['title'], value: 'Talk' },
  { op: 'replace', path: ['title'], value: '' },
  { op: 'replace', path: ['slug'], value: 'ignored' },
  { op: 'replace', path: ['state'], value: 1 },
  { op: 'replace', path: ['source_url'], value: addresses[2] },
  { op: 'replace', path: ['category'], value: 'Beta' },
  { op: 'replace', path: ['nothing'], value: 1 },
  { op: 'add', path: ['tags', '-'], value: 'x' },
  { op: 'remove', path: ['duration'] },
  { op: 'remove', path: ['title'] },
  { op: 'test', path: ['state'], value: 2 },
  { op: 'test', path: ['tags'], value: [] },
)
const operations = fc.array(operation, { minLength: 1, maxLength: 3 })
const merge = (changes: Changes): RecordChange => ({ kind: 'merge', changes })
const change: fc.Arbitrary<RecordChange> = fc.oneof(
  { weight: 4, arbitrary: part.map(merge) },
  { weight: 3, arbitrary: fc.record({ state: fields.state }).map(merge) },
  { weight: 3, arbitrary: fc.record({ category: titleOrNew }).map(merge) },
  { weight: 2, arbitrary: whole.map((changes): RecordChange => ({ kind: 'replace', changes })) },
  { weight: 2, arbitrary: operations.map((each): RecordChange => ({ kind: 'patch', operations: each })) },
)

const back = fc.nat(3)
const condition: fc.Arbitrary<Condition> = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ is: 'none' as const }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('match' as const), back }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constantFrom('base' as const, 'match and base' as const), back }) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('any', 'nothing', 'absent', 'made-up base', "another record's base")
      .map((is): Condition => ({ is })),
  },
  {
    weight: 1,
    arbitrary: fc.record({ is: fc.constant('unmodified since' as const), offsetMs: fc.constantFrom(-1000, 0, 1000) }),
  },
)

const admin: Author = { name: 'ada', role: 'admin' }
const publisher: Author = { name: 'pia', role: 'publisher' }
const editor: Author = { name: 'edo', role: 'editor' }
/** Like the editor, changes no names: what a restore makes of those is told by `test/names`. */
const reviser: Author = { name: 'ria', role: 'publisher' }
const who: fc.Arbitrary<Who> = fc
  .record({
    author: fc.constantFrom(admin, admin, admin, publisher, reviser, editor),
    reason: fc.constantFrom({}, { reason: 'because' }),
    dryRun: fc.constantFrom({}, {}, {}, {}, {}, {}, { isDryRun: true as const }),
  })
  .map(({ author, reason, dryRun }) => ({ author, ...reason, ...dryRun }))

/** One more than there are picks, so that some are of what is not there. */
const pick = fc.nat(12)
const is = <Name extends Wish['is']>(name: Name) => fc.constant(name)

/** None of them can have a result that a field refuses; those are told by `test/store/bulk-edits.test.ts`. */
const edits: fc.Arbitrary<FieldEdits> = fc.constantFrom<FieldEdits[]>(
  {},
  { tags: { is: 'names', add: ['z'], remove: ['x'] } },
  { tags: { is: 'names', add: ['x', 'y'], remove: [] } },
  { speakers: { is: 'names', add: ['Ann'], remove: ['Ben', 'Cem'] } },
  { summary: { is: 'find', find: 's', replace: '$&' }, title: { is: 'start', cut: 'T', add: 't' } },
  { title: { is: 'end', cut: '', add: ' (video)' }, duration: { is: 'multiply', by: 2 } },
)
const bulkPatch: fc.Arbitrary<BulkPatch> = fc.tuple(part, edits).map(([changes, edits]) => ({
  changes: Object.fromEntries(Object.entries(changes).filter(([name]) => !(name in edits))),
  edits,
}))
const bulkWish = fc.record({
  is: is('bulk'),
  picks: fc.uniqueArray(fc.nat(12), { maxLength: 4 }),
  category: fc.constantFrom(null, ...categories),
  state: fc.constantFrom(null, 1 as const, 2 as const),
  patch: bulkPatch,
  isPartial: fc.boolean(),
  isExpected: fc.constantFrom(true, true, true, true, false),
})
const restoreBy = fc.record({
  is: is('restore by'),
  by: fc.constantFrom(reviser.name, editor.name),
  pick,
  since: pick,
  until: fc.option(pick),
  isPartial: fc.boolean(),
})

const what = fc.oneof(
  { weight: 6, arbitrary: bulkWish },
  { weight: 3, arbitrary: restoreBy },
  { weight: 3, arbitrary: fc.record({ is: is('create'), changes: whole }) },
  { weight: 1, arbitrary: fc.record({ is: is('broken'), category: titleOrNew }) },
  { weight: 10, arbitrary: fc.record({ is: is('change'), pick, change, condition }) },
  { weight: 4, arbitrary: fc.record({ is: is('restore'), pick, version: pick, condition }) },
  { weight: 6, arbitrary: fc.record({ is: is('rename'), pick, title: titleOrNew }) },
  {
    weight: 5,
    arbitrary: fc.record({ is: is('merge names'), of: fc.constantFrom(...nameKinds), pick, into: pick }),
  },
  { weight: 7, arbitrary: fc.record({ is: is('undo'), pick }) },
)
const wish: fc.Arbitrary<Wish> = fc.tuple(who, what).map(([one, each]) => {
  const isNaming = each.is === 'rename' || each.is === 'merge names'
  const isRestored = one.author === reviser || one.author === editor
  return { ...one, ...each, author: isNaming && isRestored ? publisher : one.author }
})

/** Commands that are committed together, and how far the clock has moved since the group before; it may go back. */
export interface Group {
  readonly stepMs: number
  readonly wishes: readonly Wish[]
}

/** Talks of one category most of all, so that batches have several records to put back. */
const firstTalk: fc.Arbitrary<Wish> = fc
  .record({
    category: fc.constantFrom('Alpha', 'Alpha', 'Beta'),
    state: fields.state,
    title: fc.constant('Talk'),
    speakers: fields.speakers,
    tags: fields.tags,
  })
  .map((changes) => ({ is: 'create', author: admin, changes }))
const firstRename: fc.Arbitrary<Wish> = titleOrNew.map((title) => ({ is: 'rename', author: admin, pick: 0, title }))
const opening: fc.Arbitrary<Group> = fc
  .tuple(fc.array(firstTalk, { minLength: 1, maxLength: 4, size: 'max' }), fc.array(firstRename, { maxLength: 1 }))
  .map((wishes) => ({ stepMs: 0, wishes: wishes.flat() }))

const stepMs = fc.constantFrom(0, 1, 700, 60_000, -5000)
const toGroup = (minLength: number, maxLength: number): fc.Arbitrary<Group> =>
  fc.record({ stepMs, wishes: fc.array(wish, { minLength, maxLength, size: 'max' }) })
const group = toGroup(1, 4)
const few = fc.array(group, { minLength: 1, maxLength: 4 })
const many = fc.array(group, { minLength: 5, maxLength: 9, size: 'max' })
const most = fc.array(toGroup(8, 24), { minLength: 8, maxLength: 12, size: 'max' })

/** Up to 41 commands. Long ones mostly, but a failing one is cut down to a few. */
export const anyGroups: fc.Arbitrary<readonly Group[]> = fc
  .tuple(opening, fc.oneof({ withCrossShrink: true }, { weight: 1, arbitrary: few }, { weight: 4, arbitrary: many }))
  .map(([first, others]) => [first, ...others])

/** At least 65 commands, and about 165, for stores that are slow to make; a failing one is cut down all the same. */
export const longGroups: fc.Arbitrary<readonly Group[]> = fc
  .tuple(opening, fc.oneof({ withCrossShrink: true }, { weight: 0, arbitrary: few }, { weight: 1, arbitrary: most }))
  .map(([first, others]) => [first, ...others])
