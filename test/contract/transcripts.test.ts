import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { type Fields, listPath, parseFields, toPath, useService } from './service.ts'

const service = useService({ roles: ['reader', 'editor', 'publisher'], args: ['--threads', '1'] })

type Method = 'GET' | 'PUT' | 'DELETE' | 'POST'
interface Sent {
  readonly as?: 'none' | 'reader' | 'editor' | 'publisher'
  readonly type?: string
  readonly file?: string
  readonly headers?: { readonly [name: string]: string }
}

async function ask(
  method: Method,
  path: string,
  { as = 'publisher', type = 'text/vtt', file, headers = {} }: Sent = {},
) {
  const body = file === undefined ? {} : { body: file }
  const sent = file === undefined ? headers : { 'Content-Type': type, ...headers }
  const answer = await service.call({ method, path, as, headers: sent, ...body })
  const header = (name: string) => headerOf(answer, name) ?? ''
  return { status: answer.status, body: answer.body, header, etag: header('ETag'), fields: () => parseFields(answer) }
}

const toTranscripts = (id: unknown) => `${toPath(id)}/transcripts`
const toEnglish = (id: unknown) => `${toTranscripts(id)}/en`
const toFile = (...texts: readonly string[]) =>
  `WEBVTT\n\n${texts.map((text, i) => `00:00:0${i}.000 --> 00:00:0${i + 1}.000\n${text}\n`).join('\n')}`
const hello = toFile('Hello &amp; welcome')
const bye = toFile('Goodbye')
const put = (id: unknown, file: string, more: Sent & { readonly query?: string } = {}) =>
  ask('PUT', `${toEnglish(id)}${more.query ?? ''}`, { file, ...more })

const listOf = async (id: unknown, as: Sent['as'] = 'none') =>
  (await ask('GET', toTranscripts(id), { as })).fields().transcripts as { language: string }[]

async function readHistory(id: unknown, query = '') {
  const { results } = (await ask('GET', `${toPath(id)}/history${query}`)).fields() as {
    results: { version: number; changed: string[] }[]
  }
  return results.map(({ version, changed }) => [version, changed.length > 3 ? 'all' : changed.join()])
}

describe('A transcript', () => {
  test('is in the form that the client prefers', async () => {
    const { id } = await service.create()
    await put(id, hello)
    const cases = [
      ['application/json, text/vtt;q=0.1', 'application/json'],
      ['application/json;q=0, text/vtt', 'text/vtt; charset=utf-8'],
      ['application/json;q=0, */*', 'text/vtt; charset=utf-8'],
      ['text/plain;q=0.9, application/x-subrip', 'application/x-subrip; charset=utf-8'],
      ['TEXT/PLAIN', 'text/plain; charset=utf-8'],
      ['text/*', 'text/vtt; charset=utf-8'],
      ['text/html, */*;q=0.8', 'text/vtt; charset=utf-8'],
      ['text/html', 'text/vtt; charset=utf-8'],
    ] as const
    for (const [accept, type] of cases) {
      const read = await ask('GET', toEnglish(id), { headers: { Accept: accept } })
      expect([accept, read.status, read.header('Content-Type')]).toEqual([accept, 200, type])
    }
  })

  test('is neither sent nor stored in a form that the client does not accept', async () => {
    const { id } = await service.create()
    await put(id, hello)
    for (const accept of ['image/png', 'text/vtt-like', '*/*;q=0']) {
      const headers = { Accept: accept }
      expect((await ask('GET', toEnglish(id), { headers })).status).toBe(406)
      expect((await ask('GET', `${toEnglish(id)}.srt`, { headers })).status).toBe(200)
      expect((await put(id, hello.replace('Hello', 'Bye'), { headers })).status).toBe(406)
    }
    expect((await ask('GET', toEnglish(id))).body).toBe(hello)
  })

  test('is 404 at first, stored by PUT, read in four forms, and 404 again after DELETE', async () => {
    const { id } = await service.create()
    const none = await ask('GET', toEnglish(id), { as: 'none' })
    expect([none.status, none.fields().detail]).toEqual([404, 'The record has no transcript in this language.'])
    const stored = await put(
      id,
      '\ufeffWEBVTT\r\n\r\nSTYLE\r\n::cue{}\r\n\r\n00:01,000 --> 00:02.5\r\n<v Ann><b>Hello</b> &amp; welcome\r\n',
    )
    const vtt = 'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\n<v Ann>Hello &amp; welcome\n'
    expect([stored.status, stored.body]).toEqual([200, vtt])
    const forms = [
      ['', 'text/vtt; charset=utf-8', vtt],
      ['.vtt', 'text/vtt; charset=utf-8', vtt],
      ['.srt', 'application/x-subrip; charset=utf-8', '1\n00:00:01,000 --> 00:00:02,500\nAnn: Hello & welcome\n'],
      ['.txt', 'text/plain; charset=utf-8', 'Ann: Hello & welcome\n'],
      [
        '.json',
        'application/json',
        '{"version":"1.0.0","segments":[{"speaker":"Ann","startTime":1,"endTime":2.5,"body":"Hello \\u0026 welcome"}]}',
      ],
    ] as const
    for (const [suffix, type, body] of forms) {
      const read = await ask('GET', `${toEnglish(id)}${suffix}`, { as: 'none' })
      expect([suffix, read.status, read.header('Content-Type'), read.body]).toEqual([suffix, 200, type, body])
      expect(read.header('Access-Control-Allow-Origin')).toBe('*')
      const again = await ask('GET', `${toEnglish(id)}${suffix}`, { headers: { 'If-None-Match': read.etag } })
      expect(again.status).toBe(304)
      const accepted = await ask('GET', toEnglish(id), { headers: { Accept: type.split(';')[0] ?? '' } })
      expect(accepted.body).toBe(body)
    }
    const gone = await ask('DELETE', toEnglish(id))
    expect([gone.status, gone.body]).toEqual([204, ''])
    expect((await ask('GET', toEnglish(id))).status).toBe(404)
    expect((await ask('DELETE', toEnglish(id))).status).toBe(404)
    expect(await listOf(id)).toEqual([])
    expect(await readHistory(id)).toEqual([
      [3, 'transcripts/en'],
      [2, 'transcripts/en'],
      [1, 'all'],
    ])
  })

  test('is one per language, whatever its tool calls it', async () => {
    const { id } = await service.create()
    for (const language of ['eng', 'en-orig', 'a.en', 'en', 'de', 'pt_br'])
      expect((await ask('PUT', `${toTranscripts(id)}/${language}`, { file: hello })).status).toBe(200)
    expect((await listOf(id)).map(({ language }) => language)).toEqual(['de', 'en', 'pt-BR'])
    expect((await ask('GET', `${toTranscripts(id)}/ENG.txt`)).body).toBe('Hello & welcome\n')
    expect((await readHistory(id)).length).toBe(4)
    for (const language of ['english', 'x', 'en..vtt', '%22'])
      expect((await ask('PUT', `${toTranscripts(id)}/${language}`, { file: hello })).status).toBe(404)
  })

  test('says where it came from', async () => {
    const { id } = await service.create()
    const whisper = JSON.stringify({ segments: [{ start: 0, end: 1, text: ' Hello' }] })
    const json = { type: 'application/json' }
    const stored = await put(id, whisper, { ...json, query: '?tool=whisper%20medium' })
    expect((await listOf(id))[0]).toEqual({
      language: 'en',
      origin: 'machine',
      tool: 'whisper medium',
      cues: 1,
      end: 1,
      version: 2,
      etag: stored.etag.replace('.vtt', '.json'),
    } as never)
    await put(id, whisper, { ...json, query: '?origin=reviewed' })
    expect((await listOf(id))[0]).toMatchObject({ origin: 'reviewed', tool: null, version: 3 } as never)
    for (const query of ['?origin=robot', `?tool=${'x'.repeat(101)}`, '?tool=%00'])
      expect([query, (await put(id, whisper, { ...json, query })).status]).toEqual([query, 400])
    expect((await readHistory(id)).length).toBe(3)
  })

  test('that cannot be read is refused with line and cue, and nothing is stored', async () => {
    const { id } = await service.create()
    const bad = await put(id, 'WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n\n00:02.000 -> 00:03.000\nWorld')
    expect([bad.status, bad.fields().errors]).toEqual([
      400,
      { transcript: ['Line 6, cue 2: Must have two times, "00:12:04.000 --> 00:15:00.000".'] },
    ])
    expect((await put(id, 'WEBVTT\n')).status).toBe(400)
    expect((await put(id, '{}', { type: 'application/json' })).status).toBe(400)
    expect((await put(id, 'Hello', { type: 'text/plain' })).status).toBe(415)
    expect((await put(id, `WEBVTT\n\n${'x'.repeat(16 * 1024 * 1024)}`)).status).toBe(413)
    expect((await readHistory(id)).length).toBe(1)
  })

  test('that others have changed is 412 with base, theirs and yours', async () => {
    const { id } = await service.create()
    const first = await put(id, hello, { headers: { 'If-None-Match': '*' } })
    expect((await put(id, bye, { headers: { 'If-None-Match': '*' } })).status).toBe(412)
    const second = await put(id, bye, { headers: { 'If-Match': first.etag } })
    const stale = await put(id, toFile('Mine'), { headers: { 'If-Match': first.etag } })
    const cue = (text: string) => ({ origin: 'human', cues: [{ start: 0, end: 1000, text }] })
    expect([stale.status, stale.fields()]).toMatchObject([
      412,
      {
        current: { version: 3, etag: second.etag.replace('.vtt', '.json') },
        ...{ base: cue('Hello & welcome'), theirs: cue('Goodbye'), yours: cue('Mine') },
      },
    ])
    expect((await ask('DELETE', toEnglish(id), { headers: { 'If-Match': first.etag } })).status).toBe(412)
    expect((await put(id, bye)).etag).toBe(second.etag)
    expect((await ask('DELETE', toEnglish(id), { headers: { 'If-Match': second.etag } })).status).toBe(204)
    expect((await put(id, hello, { headers: { 'If-None-Match': '*' } })).status).toBe(200)
    expect((await readHistory(id, '?companion=transcripts/en')).length).toBe(4)
  })

  test('goes back by restore, alone, and is in the feed', async () => {
    const { id } = await service.create()
    const { etag } = await ask('GET', toPath(id), { headers: { Accept: 'application/json' } })
    await put(id, hello)
    await put(id, bye)
    const version = (await ask('GET', `${toPath(id)}/history/3`)).fields()
    expect(version.companion).toMatchObject({ kind: 'transcripts/en', after: { cues: [{ text: 'Goodbye' }] } })
    await service.patch(id, { title: 'Another' }, { 'If-Match': etag })
    expect((await ask('POST', `${toPath(id)}/history/2/restore`)).status).toBe(200)
    expect((await ask('GET', `${toEnglish(id)}.txt`)).body).toBe('Hello & welcome\n')
    const { changes } = (await ask('GET', `/api/v2/changes?since=0`)).fields() as {
      changes: { id: number; fields: string[] }[]
    }
    expect(changes.filter((each) => each.id === Number(id)).at(-1)?.fields).toEqual(['transcripts/en'])
  })

  test('of a draft is seen and changed by those who may see and change the draft', async () => {
    const { id } = await service.create({ state: 2 })
    expect((await put(id, hello, { as: 'none' })).status).toBe(401)
    expect((await put(id, hello, { as: 'reader' })).status).toBe(403)
    expect((await put(id, hello, { as: 'editor' })).status).toBe(200)
    for (const path of [toTranscripts(id), toEnglish(id), `${toEnglish(id)}.txt`]) {
      expect((await ask('GET', path, { as: 'none' })).status).toBe(404)
      expect((await ask('GET', path, { as: 'reader' })).status).toBe(200)
    }
    await service.patch(id, { state: 1 })
    expect((await put(id, bye, { as: 'editor' })).status).toBe(403)
    expect((await ask('DELETE', toEnglish(id), { as: 'editor' })).status).toBe(403)
    expect((await ask('GET', toEnglish(id), { as: 'none' })).status).toBe(200)
  })

  test('of a dry run is not stored', async () => {
    const { id } = await service.create()
    expect((await put(id, hello, { query: '?dry_run=1' })).status).toBe(200)
    expect((await ask('GET', toEnglish(id))).status).toBe(404)
    expect((await ask('PUT', `${toTranscripts(9_999_999)}/en`, { file: hello })).status).toBe(404)
  })
})

test('lists find talks by their transcripts', async () => {
  const category = `Said ${crypto.randomUUID()}`
  const make = async () => (await service.create({ category })).id
  const [none, human, machine, both] = [await make(), await make(), await make(), await make()]
  await put(human, hello)
  await put(machine, hello, { query: '?origin=machine' })
  await put(both, hello, { query: '?origin=machine' })
  await ask('PUT', `${toTranscripts(both)}/en-GB?origin=reviewed`, { file: hello })
  await ask('PUT', `${toTranscripts(both)}/de`, { file: hello })
  await put(none, hello)
  await ask('DELETE', toEnglish(none))
  const find = async (query: string) => {
    const path = `${listPath}?category=${encodeURIComponent(category)}&ordering=id&${query}`
    const { results } = (await ask('GET', path, { as: 'none' })).fields() as { results: { id: number }[] }
    return results.map(({ id }) => id)
  }
  const cases: [string, unknown[]][] = [
    ['transcript=0', [none]],
    ['missing=transcript', [none]],
    ['transcript=1', [human, machine, both]],
    ['has=transcript', [human, machine, both]],
    ['transcript=human', [human, both]],
    ['transcript=machine', [machine, both]],
    ['transcript=reviewed', [both]],
    ['transcript=translated', []],
    ['transcript_language=en', [human, machine, both]],
    ['transcript_language=eng', [human, machine, both]],
    ['transcript_language=en-GB', [both]],
    ['transcript_language=de', [both]],
    ['transcript=human&transcript_language=de', [both]],
  ]
  for (const [query, ids] of cases) {
    expect([query, await find(query)]).toEqual([query, ids as number[]])
  }
  for (const query of ['transcript=2', 'transcript_language=d'])
    expect((await ask('GET', `${listPath}?${query}`)).status).toBe(400)
})

test('a name is fixed in many talks by one batch, with a preview and an undo', async () => {
  const made = await Promise.all([1, 2, 3].map(() => service.create()))
  const [one, two, three] = made.map(({ id }) => id)
  await put(one, toFile('We use Jango', 'Jangology', 'and more'))
  await put(two, toFile("Jango's views"))
  await put(three, toFile('Nothing here'))
  await ask('PUT', `${toTranscripts(two)}/de`, { file: toFile('Mit Jango') })
  const change = async (query: string, transcripts: object) =>
    service.call({
      ...{ method: 'POST', path: `/api/v2/batches${query}`, as: 'publisher' },
      json: { select: { ids: [one, two, three] }, patch: { transcripts } },
    })
  const wanted = { find: 'Jango', replace: 'Django' }
  const preview = parseFields(await change('?dry_run=1', wanted))
  const [difference] = preview.differences as [{ readonly fields: Fields }]
  expect(difference.fields['transcripts/en']).toEqual({
    before: { origin: 'human', cues: [{ start: 0, end: 1000, text: 'We use Jango' }] },
    after: { origin: 'human', cues: [{ start: 0, end: 1000, text: 'We use Django' }] },
  })
  expect((await ask('GET', `${toEnglish(one)}.txt`)).body).toContain('We use Jango')
  const { id: batch, ...report } = parseFields(await change('', wanted))
  expect(report).toMatchObject({ changed: 2 } as never)
  expect((await ask('GET', `${toEnglish(one)}.txt`)).body).toBe('We use Django Jangology and more\n')
  expect((await ask('GET', `${toEnglish(two)}.txt`)).body).toBe("Django's views\n")
  expect((await ask('GET', `${toTranscripts(two)}/de.txt`)).body).toBe('Mit Django\n')
  await service.call({ method: 'POST', path: `/api/v2/batches/${batch}/undo`, as: 'publisher', json: {} })
  expect((await ask('GET', `${toEnglish(two)}.txt`)).body).toBe("Jango's views\n")
  expect((await ask('GET', `${toTranscripts(two)}/de.txt`)).body).toBe('Mit Jango\n')
  await change('', { ...wanted, language: 'de' })
  expect((await ask('GET', `${toEnglish(two)}.txt`)).body).toBe("Jango's views\n")
  for (const bad of [{ find: '' }, { find: 'a' }, { find: 'a', replace: ' b' }, { find: 'a', replace: 'b', x: 1 }])
    expect((await change('', bad)).status).toBe(400)
})

describe('A transcript that repeats itself or is of another length', () => {
  const length = '?fields=id&finding=transcript_length'
  const repeats = '?fields=id&finding=transcript_repeats'
  const toLong = (seconds: number, count: number) =>
    `WEBVTT\n\n${Array.from({ length: count }, () => `00:00:01.000 --> 00:00:${String(seconds).padStart(2, '0')}.000\nThank you\n`).join('\n')}`
  const listIds = async (query: string, category: string) => {
    const { results } = (await ask('GET', `${listPath}${query}&category=${category}`)).fields()
    return (results as { id: number }[]).map(({ id }) => id)
  }
  const listFound = async (id: unknown) => {
    const { results } = (await ask('GET', `${toPath(id)}/findings`)).fields()
    return (results as { code: string; field: string }[])
      .filter(({ code }) => code.startsWith('transcript_'))
      .map(({ code, field }) => `${code} ${field}`)
  }

  test('is found by lists, counts and the record, until it is corrected', async () => {
    const { id } = await service.create({ category: 'Stuck', duration: 20 })
    await put(id, toLong(50, 20))
    expect(await listFound(id)).toEqual([])
    await put(id, toLong(51, 21))
    await ask('PUT', `${toTranscripts(id)}/de`, { file: toLong(10, 1) })
    expect(await listFound(id)).toEqual(['transcript_repeats transcripts/en', 'transcript_length transcripts/en'])
    for (const query of [length, repeats]) expect([query, await listIds(query, 'stuck')]).toEqual([query, [Number(id)]])
    const { results } = (await ask('GET', '/api/v2/findings?category=stuck&code=transcript_length')).fields()
    expect(results).toMatchObject([{ code: 'transcript_length', count: 1 }])
    await put(id, toLong(20, 1))
    expect(await listFound(id)).toEqual([])
    for (const query of [length, repeats]) expect(await listIds(query, 'stuck')).toEqual([])
  })

  test('is too short below half of the talk, and can be called fine until it or the length changes', async () => {
    const { id } = await service.create({ category: 'Short', duration: 21 })
    await put(id, toLong(10, 1))
    expect(await listFound(id)).toEqual(['transcript_length transcripts/en'])
    const accept = () => ask('POST', `${toPath(id)}/findings/transcript_length/accept`)
    expect((await accept()).status).toBe(200)
    expect([await listFound(id), await listIds(length, 'short')]).toEqual([[], []])
    await put(id, toLong(9, 2))
    expect(await listIds(length, 'short')).toEqual([Number(id)])
    await accept()
    await service.call({ method: 'PATCH', path: toPath(id), as: 'publisher', json: { duration: 22 } })
    expect(await listIds(length, 'short')).toEqual([Number(id)])
    await service.call({ method: 'PATCH', path: toPath(id), as: 'publisher', json: { duration: 18 } })
    expect(await listIds(length, 'short')).toEqual([])
  })
})
