import { describe, expect, test } from 'bun:test'
import { findNearPairs, isMisspelling, maxSeries } from '../../src/record/variants/misspelling.ts'
import { findVariants } from '../../src/record/variants/name-variants.ts'
import { toSingularKey } from '../../src/record/variants/plural.ts'
import { spellingKeys, toBareKey, toNameWords } from '../../src/record/variants/spelling-keys.ts'
import type { VariantInput } from '../../src/record/variants/variant.ts'
import { createRandom } from '../search/random.ts'

type Kind = VariantInput['kind']

function run(kind: Kind, names: readonly string[]) {
  const found = findVariants({ kind, names: names.map((name, id) => ({ id, name })), aliases: new Map() })
  for (let steps = 0; ; steps++) {
    const { done, value } = found.next()
    if (done === true) return { groups: value, steps }
  }
}

describe('On random names', () => {
  const { between, pick } = createRandom(54)
  const syllables = ['ma', 'ri', 'an', 'el', 'jo', 'hän', 'so', 'ké', 'ber', 'tins']
  const toWord = () => Array.from({ length: between(1, 4) }, () => pick(syllables)).join('')
  const toName = () => Array.from({ length: between(1, 3) }, toWord).join(pick([' ', ' ', '-', ', ', '']))
  function alter(name: string): string {
    const at = between(0, name.length - 1)
    const changes = [
      name.toUpperCase(),
      name.replace(' ', ''),
      name.replace('-', ' '),
      name.slice(0, at) + name.slice(at + 1),
    ]
    changes.push(`${name.slice(0, at)}n${name.slice(at)}`, name.split(' ').reverse().join(' '), name.normalize('NFD'))
    return pick(changes)
  }

  for (const kind of ['speaker', 'tag'] as const) {
    test(`the groups of ${kind}s are those of comparing all pairs`, () => {
      const seen = new Set<string>()
      for (let round = 0; round < 60; round++) {
        const some = Array.from({ length: 12 }, toName)
        const names = [...new Set([...some, ...some.map(alter), ...some.map(alter)])].filter((name) => name !== '')
        const found = run(kind, names).groups.filter(({ reason }) => reason !== 'initials')
        for (const { reason } of found) seen.add(reason)
        expect(toLines(found.map(({ reason, ids }) => [reason, ids]))).toEqual(toLines(compareAll(kind, names)))
      }
      const plural = kind === 'tag' ? ['plural'] : []
      expect([...seen].sort()).toEqual(['accent', 'case', 'letter', 'order', ...plural, 'punctuation', 'space'])
    })
  }
})

describe('The work', () => {
  const { between, pick } = createRandom(7)
  const toText = (letters: string, length: number) => Array.from({ length }, () => pick([...letters])).join('')
  const sources: { readonly [what: string]: () => string } = {
    'share all letters': () => toText('ab', 20),
    'are one letter apart': () => `conference${String.fromCharCode(between(0x430, 0x44f))}${toText('ab', 3)}`,
    'have the last name and the initial of all others': () =>
      `${pick(['J.', `Jo${toText('abc', 5)}`])} ${toText('abcd', 1)}. Smith`,
    'are long': () => toText('abcdefgh ', 64),
    'are punctuation': () => toText('.-_!?', 8),
    'have no letter case': () => toText('山田太郎学習', 8),
  }
  for (const [what, toName] of Object.entries(sources)) {
    test(`is bounded for names that ${what}`, () => {
      const names = [...new Set(Array.from({ length: 4_000 }, toName))]
      const texts = names.map((name) => toNameWords(name).join(' '))
      let compared = 0
      for (const _ of findNearPairs(texts, () => compared++));
      const keys = texts.reduce((sum, { length }) => sum + length + 1, 0)
      expect(compared).toBeLessThanOrEqual((keys * (maxSeries - 1)) / 2)
      expect(run('speaker', names).steps).toBeLessThan(names.length)
    })
  }
})

const toLines = (groups: readonly (readonly [string, readonly number[]])[]) =>
  groups.map(([reason, members]) => `${reason} ${[...members].sort((a, b) => a - b)}`).sort()

/** Components of all pairs that a test accepts, as lists of indexes. */
function toComponents(size: number, isPair: (a: number, b: number) => boolean): number[][] {
  const marks = Array.from({ length: size }, (_, i) => i)
  for (let a = 0; a < size; a++) {
    for (let b = 0; b < a; b++) {
      const [one, other] = [marks[a], marks[b]]
      if (one !== other && isPair(a, b))
        for (const [i, mark] of marks.entries()) if (mark === one) marks[i] = other ?? 0
    }
  }
  return [...Map.groupBy(marks.keys(), (i) => marks[i]).values()]
}

const expand = (name: string) => toBareKey(name.normalize('NFC').toLowerCase().replaceAll('ä', 'ae'))

/** The same groups by comparing every name with every other. */
function compareAll(kind: Kind, names: readonly string[]): [string, number[]][] {
  const bare = names.map(toBareKey)
  const words = names.map((name) => toNameWords(name).join(' '))
  const spelled = toComponents(names.length, (a, b) => {
    const [one, other] = [names[a] ?? '', names[b] ?? '']
    return (
      bare[a] === bare[b] ||
      (expand(one) !== bare[a] && expand(one) === bare[b]) ||
      (expand(other) !== bare[b] && expand(other) === bare[a])
    )
  })
  const clusterOf = (index: number) => spelled.findIndex((cluster) => cluster.includes(index))
  const join = (isPair: (a: number, b: number) => boolean) =>
    toComponents(names.length, (a, b) => clusterOf(a) === clusterOf(b) || isPair(a, b)).filter(
      (each) => new Set(each.map(clusterOf)).size > 1,
    )
  const isOrdered = (a: number, b: number) => {
    const [one = '', other = ''] = [words[a], words[b]].map((text) => text?.split(' ').sort().join(' '))
    return one === other && one.includes(' ') && one.length > 5
  }
  const isPlural = (a: number, b: number) =>
    kind === 'tag' && toSingularKey(names[a] ?? '') === toSingularKey(names[b] ?? '')
  const isNear = (a: number, b: number) => isMisspelling(words[a] ?? '', words[b] ?? '', kind)
  return [
    ...spelled
      .filter(({ length }) => length > 1)
      .map((each): [string, number[]] => [toReason(each.map((i) => names[i] ?? '')), each]),
    ...join(isOrdered).map((each): [string, number[]] => ['order', each]),
    ...join(isPlural).map((each): [string, number[]] => ['plural', each]),
    ...join(isNear).map((each): [string, number[]] => ['letter', each]),
  ]
}

function toReason(names: readonly string[]): string {
  for (const [reason, toKey] of Object.entries(spellingKeys)) if (new Set(names.map(toKey)).size === 1) return reason
  return new Set(names.map(toBareKey)).size === 1 ? 'punctuation' : 'accent'
}
