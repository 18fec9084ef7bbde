import { describe, expect, test } from 'bun:test'
import { findVariants } from '../../src/record/variants/name-variants.ts'
import type { VariantInput } from '../../src/record/variants/variant.ts'
import { pairs } from './variant-pairs.ts'

type Kind = VariantInput['kind']

/** Names have ids from 1, in their order. */
function run(kind: Kind, names: readonly string[], aliases: ReadonlyMap<number, number> = new Map()) {
  const found = findVariants({ kind, names: names.map((name, i) => ({ id: i + 1, name })), aliases })
  let steps = 0
  for (;;) {
    const { done, value } = found.next()
    if (done === true) return { steps, groups: value }
    steps++
  }
}

function list(kind: Kind, names: readonly string[], aliases?: ReadonlyMap<number, number>) {
  return run(kind, names, aliases).groups.map(({ reason, ids }) => [reason, ...ids.map((id) => names[id - 1] ?? '')])
}

describe('Of two names,', () => {
  for (const [kind, a, b, reason] of pairs) {
    test(`${kind}s "${a}" and "${b}" are ${reason === null ? 'no variants' : `variants by ${reason}`}`, () => {
      const [first, second] = [list(kind, [a, b]), list(kind, [b, a])]
      expect(first).toEqual(reason === null ? [] : [[reason, a, b]])
      expect(second).toEqual(reason === null ? [] : [[reason, b, a]])
    })
  }
})

describe('A group', () => {
  test('has the reason of the weakest link that it needs', () => {
    expect(list('tag', ['open source', 'Open Source', 'opensource'])).toEqual([
      ['space', 'open source', 'Open Source', 'opensource'],
    ])
    expect(list('tag', ['open source', 'Open Source', 'open-source'])).toEqual([
      ['punctuation', 'open source', 'Open Source', 'open-source'],
    ])
    expect(list('speaker', ['Müller, Anna', 'Anna Mueller', 'Anna Müller'])).toEqual([
      ['accent', 'Anna Mueller', 'Anna Müller'],
      ['order', 'Müller, Anna', 'Anna Mueller', 'Anna Müller'],
    ])
  })

  test('of a weak reason leaves that of a sure one as it is', () => {
    expect(
      list('speaker', ['John Smithson', 'john smithson', 'J. Smithson', 'John Smitsson', 'Smithson John']),
    ).toEqual([
      ['case', 'John Smithson', 'john smithson'],
      ['order', 'John Smithson', 'john smithson', 'Smithson John'],
      ['initials', 'John Smithson', 'john smithson', 'J. Smithson'],
      ['letter', 'John Smithson', 'john smithson', 'John Smitsson'],
    ])
  })

  test('comes in the order of reasons, then of names', () => {
    const names = ['zebra tests', 'zebra test', 'b c d', 'B C D', 'Alpha', 'alpha', 'Beta-x', 'betax']
    expect(list('tag', names)).toEqual([
      ['case', 'Alpha', 'alpha'],
      ['case', 'b c d', 'B C D'],
      ['punctuation', 'Beta-x', 'betax'],
      ['plural', 'zebra tests', 'zebra test'],
    ])
  })

  test('has at most a thousand names', () => {
    const names = Array.from({ length: 2_000 }, (_, i) =>
      [...'variant name'].map((c, k) => ((i >> k) & 1 ? c.toUpperCase() : c)).join(''),
    )
    const [group] = run('tag', [...new Set(names)]).groups
    expect([group?.reason, group?.ids.length]).toEqual(['case', 1_000])
  })
})

describe('Initials', () => {
  const cases: readonly (readonly [what: string, names: readonly string[], groups: readonly (readonly string[])[]])[] =
    [
      ['stand for no name where two may be meant', ['J. Smith', 'John Smith', 'Jane Smith'], []],
      [
        'stand for no middle name where two may be meant',
        ['John Q. Smith', 'John Quincy Smith', 'John Quentin Smith'],
        [],
      ],
      [
        'are compared with the same initials first',
        ['J. Q. Smith', 'John Q. Smith', 'John R. Smith'],
        [['J. Q. Smith', 'John Q. Smith']],
      ],
      ['do not join two people through a third name', ['John Smith', 'John Q. Smith', 'John R. Smith', 'J. Smith'], []],
      ['do not join two short names through a full one', ['John Smith', 'J. Q. Smith', 'J. R. Smith'], []],
      [
        'mean one name in any order of its words',
        ['Smith, John', 'J. Smith', 'John Smith'],
        [['Smith, John', 'J. Smith']],
      ],
      [
        'join all forms of one name',
        ['J. Smith', 'J. Q. Smith', 'John Smith', 'John Q. Smith', 'John Quincy Smith'],
        [['J. Smith', 'J. Q. Smith', 'John Smith', 'John Q. Smith', 'John Quincy Smith']],
      ],
    ]
  for (const [what, names, groups] of cases) {
    test(what, () => {
      const found = list('speaker', names).filter(([reason]) => reason === 'initials')
      expect(found).toEqual(groups.map((group) => ['initials', ...group]))
    })
  }
})

describe('An alias', () => {
  test('that records have again is listed with its target, whatever their spelling', () => {
    const names = ['Ann Lee', 'ann lee', 'Betty Brown', 'Other']
    expect(list('speaker', names, new Map([[2, 1]]))).toEqual([['alias', 'Ann Lee', 'ann lee']])
    expect(list('speaker', names, new Map([[3, 1]]))).toEqual([
      ['alias', 'Ann Lee', 'Betty Brown'],
      ['case', 'Ann Lee', 'ann lee'],
    ])
  })

  test('follows its chain to the end, through names without records', () => {
    expect(
      list(
        'speaker',
        ['A A', 'B B', 'C C'],
        new Map([
          [1, 77],
          [77, 78],
          [78, 3],
        ]),
      ),
    ).toEqual([['alias', 'A A', 'C C']])
    expect(
      list(
        'speaker',
        ['A A', 'B B', 'C C'],
        new Map([
          [1, 2],
          [2, 3],
        ]),
      ),
    ).toEqual([['alias', 'A A', 'B B', 'C C']])
  })

  test('of a name without records, or of itself, is no variant', () => {
    expect(list('speaker', ['A A', 'B B'], new Map([[1, 77]]))).toEqual([])
    expect(list('speaker', ['A A', 'B B'], new Map([[1, 1]]))).toEqual([])
    expect(
      list(
        'speaker',
        ['A A', 'B B', 'C C'],
        new Map([
          [1, 77],
          [77, 1],
        ]),
      ),
    ).toEqual([])
  })
})

describe('Misspellings', () => {
  test('are not found in a series of names', () => {
    const letters = [...'bcdfghklmnpq']
    expect(
      list(
        'tag',
        letters.map((letter) => `conference${letter}track`),
      ),
    ).toEqual([])
    expect(
      list(
        'tag',
        letters.slice(0, 3).map((letter) => `conference${letter}track`),
      ),
    ).toHaveLength(1)
  })

  test('are not found in a chain of names', () => {
    const chain = Array.from({ length: 12 }, (_, i) => `${'b'.repeat(i)}${'d'.repeat(12 - i)}`)
    expect(
      list(
        'tag',
        chain.map((name) => `x${name}`),
      ),
    ).toEqual([])
    expect(
      list(
        'tag',
        chain.slice(0, 4).map((name) => `x${name}`),
      ),
    ).toHaveLength(1)
  })
})
