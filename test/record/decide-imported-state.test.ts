import { expect, test } from 'bun:test'
import { decideImportedState, type ImportedState } from '../../src/record/decide.ts'

const draft: ImportedState = {
  current: 2,
  imported: undefined,
  wasTakenDown: false,
  wasUndone: false,
  isTakenDownElsewhere: false,
  isDraftsOnly: false,
}

const cases: readonly (readonly [string, Partial<ImportedState>, 1 | 2 | null, boolean])[] = [
  ['a source without a state leaves it alone', {}, null, false],
  ['a source publishes a draft', { imported: 1 }, 1, false],
  ['a source makes a live record a draft', { current: 1, imported: 2 }, 2, false],
  ['a source repeats that a record is live', { current: 1, imported: 1, isDraftsOnly: true }, 1, false],
  ['an import of drafts publishes nothing', { imported: 1, isDraftsOnly: true }, null, false],
  ['an undone import is repeated', { wasUndone: true }, 1, false],
  ['an undone import is not repeated by an import of drafts', { wasUndone: true, isDraftsOnly: true }, null, false],
  ['the state in the source prevails over an undone import', { imported: 2, wasUndone: true }, 2, false],
  ['a record that was taken down stays a draft', { wasTakenDown: true }, null, true],
  ['the takedown of another source prevails', { imported: 1, isTakenDownElsewhere: true }, null, true],
  ['also over the repetition of an undone import', { wasUndone: true, isTakenDownElsewhere: true }, null, true],
  ['but is not reported if nothing is published', { isTakenDownElsewhere: true }, null, false],
  [
    'nor if an import of drafts publishes nothing',
    { imported: 1, isTakenDownElsewhere: true, isDraftsOnly: true },
    null,
    false,
  ],
  ['two sources agree on a draft', { imported: 2, isTakenDownElsewhere: true }, 2, false],
]

for (const [name, given, state, staysDraft] of cases) {
  test(name, () => {
    expect(decideImportedState({ ...draft, ...given })).toEqual({ state, staysDraft })
  })
}
