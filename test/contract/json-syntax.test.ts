import { describe, expect, test } from 'bun:test'
import { parseFields, requiredFields, toPath, useService } from './service.ts'
import { errorNamesOf, type Row, runTable } from './table.ts'

// Runner: one engine (JSON is parsed before the store is asked)

const service = useService()

const patch = { method: 'PATCH', path: toPath('{id}'), as: 'admin' as const }
const encode = (text: string) => new TextEncoder().encode(text)
const withBytes = (...bytes: number[]) => new Uint8Array([...encode('{"summary":"a'), ...bytes, ...encode('b"}')])
const toNested = (depth: number) => `{"nested":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`

const texts: readonly (readonly [string, string])[] = [
  ['an empty body', ''],
  ['white space alone', ' \n'],
  ['an open object', '{'],
  ['half a string', '{"summary":"x'],
  ['a trailing comma', '{"summary":"x",}'],
  ['a trailing comma in a list', '{"tags":["a",]}'],
  ['a missing comma', '{"summary":"x" "title":"y"}'],
  ['a missing value', '{"summary":}'],
  ['a name without quotes', '{summary:"x"}'],
  ['single quotes', "{'summary':'x'}"],
  ['a comment', '{"summary":"x"/* no */}'],
  ['a line comment', '{"summary":"x"} // no'],
  ['something behind it', '{"summary":"x"} x'],
  ['a second object', '{"summary":"x"}{}'],
  ['NaN', '{"duration":NaN}'],
  ['Infinity', '{"duration":Infinity}'],
  ['undefined', '{"duration":undefined}'],
  ['1e999', '{"duration":1e999}'],
  ['-1e999', '{"duration":-1e999}'],
  ['a number of 400 digits', `{"duration":${'9'.repeat(400)}}`],
  ['a leading zero', '{"duration":05}'],
  ['a leading plus', '{"duration":+5}'],
  ['a leading dot', '{"duration":.5}'],
  ['a trailing dot', '{"duration":5.}'],
  ['hexadecimal', '{"duration":0x10}'],
  ['an empty exponent', '{"duration":5e}'],
  ['a raw line end in a string', '{"summary":"a\nb"}'],
  ['a raw tab in a string', '{"summary":"a\tb"}'],
  ['a raw NUL', '{"summary":"a\u0000b"}'],
  ['an unknown escape', '{"summary":"\\x41"}'],
  ['half an escape', '{"summary":"\\u12"}'],
  ['True', '{"video_mp4_download_only":True}'],
  ['other white space', '{\u00a0"summary":"x"}'],
  ['a form feed', '{\f"summary":"x"}'],
  ['an array', '[]'],
  ['null', 'null'],
  ['a string', '"x"'],
  ['a number', '5'],
  ['true', 'true'],
  ['the same name twice', '{"summary":"a","summary":"b"}'],
  ['the same name and value twice', '{"summary":"a","summary":"a"}'],
  ['the same name twice by an escape', '{"summary":"a","s\\u0075mmary":"b"}'],
  ['the same name twice further in', '{"tags":[{"a":1,"a":2}]}'],
  ['the same unknown name twice', '{"__proto__":1,"__proto__":2}'],
  ['a name that is a lone surrogate', '{"\\ud800":1}'],
  ['form data', 'summary=x&title=y'],
]

const bytes: readonly (readonly [string, Uint8Array])[] = [
  ['a byte-order mark', new Uint8Array([0xef, 0xbb, 0xbf, ...encode('{"summary":"x"}')])],
  ['a lone continuation byte', withBytes(0x80)],
  ['half a sequence', withBytes(0xc3)],
  ['an overlong slash', withBytes(0xc0, 0xaf)],
  ['an encoded surrogate', withBytes(0xed, 0xa0, 0x80)],
  ['a character past the last', withBytes(0xf4, 0x90, 0x80, 0x80)],
  ['the byte FF', withBytes(0xff)],
  ['Latin-1', withBytes(0xe9)],
  ['UTF-16', new Uint8Array(Buffer.from('{"summary":"x"}', 'utf16le'))],
]

const refused: readonly Row[] = [...texts, ...bytes].map(([what, body]) => ({
  ...patch,
  name: `A body with ${what} is refused`,
  body,
  status: 400,
}))

const fieldErrors: readonly (readonly [string, string, string])[] = [
  ['the name __proto__', '{"__proto__":{"title":"x"}}', '__proto__'],
  ['the name constructor', '{"constructor":{"prototype":{}}}', 'constructor'],
  ['a lone high surrogate', '{"summary":"\\ud800"}', 'summary'],
  ['a lone low surrogate', '{"summary":"\\udc00x"}', 'summary'],
  ['surrogates in the wrong order', '{"summary":"\\udc00\\ud800"}', 'summary'],
  ['an escaped NUL', '{"summary":"\\u0000"}', 'summary'],
  ['a nesting of 32', toNested(32), 'nested'],
]

const named: readonly Row[] = fieldErrors.map(([what, body, field]) => ({
  ...patch,
  name: `A body with ${what} is well-formed, and its field is refused`,
  body,
  status: 400,
  errors: [field],
}))

const taken: readonly (readonly [string, string, string])[] = [
  ['white space around it', ' \r\n\t{ "summary" : "x" }\n', 'x'],
  ['an escaped name', '{"s\\u0075mmary":"x"}', 'x'],
  ['every short escape that a text may hold', '{"summary":"\\"\\\\\\/\\n\\r\\t"}', '"\\/\n\r\t'],
  ['an escaped surrogate pair', '{"summary":"\\ud83d\\uDE00"}', '😀'],
  ['upper-case escapes', '{"summary":"\\u00E9"}', 'é'],
  ['raw UTF-8', '{"summary":"é 😀 \u2028"}', 'é 😀 \u2028'],
]

const wellFormed: readonly Row[] = taken.map(([what, body, summary]) => ({
  ...patch,
  name: `A body with ${what} is taken`,
  body,
  status: 200,
  check: (json) => expect(json.summary).toBe(summary),
}))

describe('A malformed body', () => runTable(refused, service))

describe('A well-formed body with a wrong field', () => runTable(named, service))

describe('A well-formed body', () => runTable(wellFormed, service))

describe('The nesting of a body', () => {
  for (const depth of [33, 100, 100_000]) {
    test(`may not be ${depth}`, async () => {
      const { id } = await service.create()
      const answer = await service.call({ ...patch, path: toPath(id), body: toNested(depth) })
      expect([answer.status, errorNamesOf(answer).includes('nested')]).toEqual([400, false])
    })
  }
})

describe('The name __proto__', () => {
  test('changes no later answer', async () => {
    const { id } = await service.create()
    const body = '{"__proto__":{"summary":"polluted","category":"x","title":"x"}}'
    await service.call({ ...patch, path: toPath(id), body })
    await service.call({ ...patch, method: 'PUT', path: toPath(id), body })
    const json = { ...requiredFields, title: 'Clean' }
    const answer = await service.call({ method: 'PUT', path: toPath(id), as: 'admin', json })
    expect([answer.status, parseFields(answer).summary]).toEqual([200, ''])
  })
})

test('numbers of a megabyte of digits are refused at once, and delay no other request', async () => {
  const toBody = (digits: string) => `{"category":"c","title":"t","duration":${digits}}`
  const numbers = [`0.${'0'.repeat(1_000_000)}1`, '1'.repeat(1_000_000), `1e${'0'.repeat(1_000_000)}1`]
  const startedMs = performance.now()
  const headers = { Authorization: `Token ${service.server().adminKey}`, 'Content-Type': 'application/json' }
  const url = `${service.server().url}/api/v2/video`
  const posts = numbers.map((digits) => fetch(url, { method: 'POST', headers, body: toBody(digits) }))
  expect((await fetch(`${service.server().url}/healthz`)).status).toBe(200)
  for (const answer of await Promise.all(posts)) {
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('more than 400 characters') })
  }
  // One of 100,000 digits took 22 s.
  expect(performance.now() - startedMs).toBeLessThan(5_000)
}, 30_000)
