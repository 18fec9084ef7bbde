import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { ArrayError, splitArray } from '../../src/archive/json-array/array.ts'
import { maxTextBytes } from '../../src/archive/json-array/chunk-buffer.ts'
import { runs } from '../harness/runs.ts'

type Outcome =
  | { readonly entries: readonly { readonly text: string; readonly offset: number }[] }
  | { readonly problem: string; readonly offset: number }

/** Cuts bytes into chunks of these sizes, over and over. Each chunk's bytes are gone when the next is asked for. */
async function* cut(bytes: Uint8Array, sizes: readonly number[]): AsyncIterable<Uint8Array> {
  for (let [from, i] = [0, 0]; from < bytes.length; i++) {
    const chunk = bytes.slice(from, from + (sizes[i % sizes.length] ?? 1))
    from += chunk.length
    yield chunk
    chunk.fill(0x22)
  }
}

async function split(bytes: Uint8Array, sizes: readonly number[] = [bytes.length]): Promise<Outcome> {
  const entries: { text: string; offset: number }[] = []
  try {
    for await (const { bytes: entry, offset } of splitArray(cut(bytes, sizes))) {
      entries.push({ text: entry === 'too long' ? entry : Buffer.from(entry).toString('latin1'), offset })
    }
    return { entries }
  } catch (error) {
    if (!(error instanceof ArrayError)) throw error
    return { problem: error.message, offset: error.offset }
  }
}

const toBytes = (text: string) => new Uint8Array(Buffer.from(text))

/** What a parser of whole texts makes of it; null where it is no array. Bytes stand for letters on both sides. */
function parseWhole(bytes: Uint8Array): readonly unknown[] | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('latin1'))
    return Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** The same, from the entries alone. */
function parseEntries(outcome: Outcome): readonly unknown[] | null {
  try {
    return 'entries' in outcome ? outcome.entries.map(({ text }) => JSON.parse(text)) : null
  } catch {
    return null
  }
}

const letter = fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', ':', ' ', '\n', 'a', 'u', '0', 'é', '橋', '💡')
const string = fc.string({ unit: letter, maxLength: 8 })
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    string,
    fc.constantFrom(0, -1.5e-7, 12, true, false, null, '', [], {}),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(string, tie('value'), { maxKeys: 4 }),
  ),
}))
const spaces = fc.array(fc.string({ unit: fc.constantFrom(' ', '\n', '\r', '\t'), maxLength: 3 }), { minLength: 1 })
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 })

/** JSON with any spaces between its parts. */
const arrayText = fc.tuple(fc.array(value, { maxLength: 6 }), spaces).map(([values, between]) => {
  const parts = JSON.stringify(values).match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^"{}[\],:]+/g) ?? []
  return parts.map((part, i) => `${between[i % between.length]}${part}`).join('') + between[0]
})

describe('Any array', () => {
  test('gives the entries that a parser of the whole finds, however it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(arrayText, sizes, async (text, sizes) => {
        const bytes = toBytes(text)
        const whole = await split(bytes)
        expect(parseEntries(whole)).toEqual(parseWhole(bytes))
        expect(await split(bytes, [1])).toEqual(whole)
        expect(await split(bytes, sizes)).toEqual(whole)
      }),
      { numRuns: runs(500) },
    )
  })

  test('with one byte more, less or other is an array for both, or for neither', async () => {
    const byte = fc.oneof(fc.constantFrom(...Buffer.from('"\\[]{},: \n1t')), fc.integer({ min: 0, max: 255 }))
    await fc.assert(
      fc.asyncProperty(
        arrayText,
        sizes,
        fc.nat(),
        fc.nat(1),
        fc.option(byte),
        async (text, sizes, where, gone, put) => {
          const damaged = [...toBytes(text)]
          damaged.splice(where % damaged.length, gone, ...(put === null ? [] : [put]))
          const bytes = Uint8Array.from(damaged)
          const whole = await split(bytes)
          expect(parseEntries(whole)).toEqual(parseWhole(bytes))
          expect(await split(bytes, sizes)).toEqual(whole)
        },
      ),
      { numRuns: runs(2_000) },
    )
  })
})

describe('What is no array', () => {
  test.each<[text: string, problem: string, offset: number]>([
    ['', 'Expected "[", found the end of the file', 0],
    [' {}', 'Expected "[", found "{"', 1],
    ['\ufeff[]', 'Expected "[", found byte 0xef', 0],
    ['[', 'Expected entry 1 or "]", found the end of the file', 1],
    ['[1,2', 'The file ends within entry 2, which begins here', 3],
    ['[{}, {"a": "b}]', 'The file ends within entry 2, which begins here', 5],
    ['[{}, {"a": [}]', 'Expected "]" within entry 2, found "}"', 12],
    ['[{"a": 1]', 'Expected "}" within entry 1, found "]"', 8],
    ['[{}', 'Expected "," or "]" after entry 1, found the end of the file', 3],
    ['[{}, ', 'Expected entry 2, found the end of the file', 5],
    ['[{} {}]', 'Expected "," or "]" after entry 1, found "{"', 4],
    ['[{} "a"]', 'Expected "," or "]" after entry 1, found byte 0x22', 4],
    ['[1{}]', 'Expected "," or "]" after entry 1, found "{"', 2],
    ['[{}}]', 'Expected "," or "]" after entry 1, found "}"', 3],
    ['[,{}]', 'Expected entry 1 or "]", found ","', 1],
    ['[{},,{}]', 'Expected entry 2, found ","', 4],
    ['[{},]', 'Expected entry 2, found "]"', 4],
    ['[] x', 'Expected the end of the file, found "x"', 3],
    ['[{}][{}]', 'Expected the end of the file, found "["', 4],
    ['[]\0', 'Expected the end of the file, found byte 0x00', 2],
  ])('%j is told with its place', async (text, problem, offset) => {
    for (const sizes of [[1], [2, 3], [100]]) expect(await split(toBytes(text), sizes)).toEqual({ problem, offset })
  })
})

test('an entry that is too long is told as such, and the next ones are found', async () => {
  const [full, long] = ['x'.repeat(maxTextBytes - 2), 'x'.repeat(maxTextBytes - 1)]
  const bytes = toBytes(`["${full}", "${long}", 3]`)
  for (const sizes of [[bytes.length], [100_000, 77]]) {
    const outcome = await split(bytes, sizes)
    if ('problem' in outcome) throw new Error(outcome.problem)
    expect(outcome.entries.map(({ text, offset }) => [text.length < 10 ? text : text.length, offset])).toEqual([
      [maxTextBytes, 1],
      ['too long', maxTextBytes + 3],
      ['3', bytes.length - 2],
    ])
  }
})

test('an entry may be nested as deeply as it likes', async () => {
  const deep = `${'[{"a":'.repeat(200_000)}1${'}]'.repeat(200_000)}`
  expect(await split(toBytes(`[${deep},2]`), [4_096])).toEqual({
    entries: [
      { text: deep, offset: 1 },
      { text: '2', offset: deep.length + 2 },
    ],
  })
})
