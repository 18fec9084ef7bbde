import { afterAll, expect, test } from 'bun:test'
import { csvByteOrderMark, toCsvLine } from '../../../src/site/edit/lists/csv/csv.ts'
import { toCsvStream } from '../../../src/site/edit/lists/csv/csv-stream.ts'

test.each([
  [['a', 1, null], '"a","1",""\r\n'],
  [
    ['with, comma', 'with "quotes"', 'two\nlines', 'cr\rhere'],
    '"with, comma","with ""quotes""","two\nlines","cr\rhere"\r\n',
  ],
  [['', ' padded '], '""," padded "\r\n'],
  [['Žlutý kůň', '東京 🎤'], '"Žlutý kůň","東京 🎤"\r\n'],
])('A line follows RFC 4180: %j', (cells, line) => {
  expect(toCsvLine(cells)).toBe(line)
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '=HYPERLINK("http://x","y")'])(
  'What a spreadsheet takes for a formula begins with an apostrophe: %j',
  (cell) => {
    expect(splitAt(',', toCsvLine([cell]))).toEqual([`'${cell}`])
  },
)

test('Numbers and texts with a sign inside are as they are', () => {
  expect(toCsvLine([-1, 'a=b', '1-2', 'me@example.org'])).toBe('"-1","a=b","1-2","me@example.org"\r\n')
})

/** The cells of a line, as a spreadsheet with this separator reads it. */
function splitAt(separator: string, line: string): string[] {
  const cells = line
    .slice(0, -2)
    .matchAll(new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}]*))(?:\\${separator}|$)`, 'g'))
  return Array.from(cells, ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain).slice(0, -1)
}

test.each([',', ';', '\t', '|'])(
  'A spreadsheet that separates cells by %j finds no formula inside of one',
  (separator) => {
    const cells = ["x;=cmd|' /C calc'!A0", "x\t=cmd|' /C calc'!A0", 'x,=1+1', 'x|=1+1', '";=1+1', 'x";"=1+1', '""|=1']
    for (const cell of cells) expect(splitAt(separator, toCsvLine([cell]))).toEqual([cell])
  },
)

/** Serves a stream as the site does. */
let streamed: () => ReadableStream<Uint8Array> = () => new ReadableStream()
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(streamed()) })
afterAll(() => server.stop(true))

test('A file has its mark, its heading and all chunks', async () => {
  streamed = () =>
    toCsvStream('a,b\r\n', { text: '1,2\r\n', next: 2 }, async (at) => ({
      text: `${at}\r\n`,
      next: at < 5 ? at + 1 : null,
    }))
  const response = await fetch(server.url)
  const bytes = await response.bytes()
  expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)).toBe(
    `${csvByteOrderMark}a,b\r\n1,2\r\n2\r\n3\r\n4\r\n5\r\n`,
  )
})

test('A file that breaks off is seen to be incomplete', async () => {
  streamed = () =>
    toCsvStream('a\r\n', { text: '1\r\n', next: 2 }, async (at) => {
      await Bun.sleep(20)
      if (at > 3) throw new Error('the store is down')
      return { text: `${at}\r\n`, next: at + 1 }
    })
  const response = await fetch(server.url)
  await expect(response.text()).rejects.toThrow()
})

test('Nothing is read ahead of the client', async () => {
  let reads = 0
  const stream = toCsvStream('a\r\n', { text: '1\r\n', next: 1 }, async (at) => {
    reads++
    return { text: `${at}\r\n`, next: at + 1 }
  })
  const reader = stream.getReader()
  await reader.read()
  await reader.read()
  await Bun.sleep(10)
  expect(reads).toBe(1)
  await reader.cancel()
})
