import { describe, expect, test } from 'bun:test'
import { type Fields, listPath, parseFields, requiredFields, toPath, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService()

const known = [
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'dQw4w9WgXcQ'],
  ['http://www.youtube.com/watch?v=dQw4w9WgXcQ', 'dQw4w9WgXcQ'],
  ['https://youtube.com/watch?v=dQw4w9WgXcQ', 'dQw4w9WgXcQ'],
  ['https://www.youtube.com/watch?feature=share&v=dQw4w9WgXcQ&t=10', 'dQw4w9WgXcQ'],
  ['https://youtu.be/dQw4w9WgXcQ', 'dQw4w9WgXcQ'],
  ['https://vimeo.com/76979871', '76979871'],
] as const

const unknown = [
  '',
  'https://example.org/watch?v=dQw4w9WgXcQ',
  'https://youtube.com.example.org/watch?v=dQw4w9WgXcQ',
  'https://notyoutube.com/watch?v=dQw4w9WgXcQ',
]

const hostile = [
  'https://www.youtube.com/watch?v="><script>alert(1)</script>',
  'https://www.youtube.com/watch?v=%22%3E%3Cscript%3Ealert(1)%3C/script%3E',
  'https://vimeo.com/1"onload="alert(1)',
]

const first = 'https://www.youtube.com/watch?v=aaaaaaaaaaa'
const second = 'https://www.youtube.com/watch?v=bbbbbbbbbbb'
const own = '<iframe src="https://example.org/player" width="640" height="390"></iframe>'

/** The document's shape of the markup. */
function checkShape(embed: unknown, videoId: string): void {
  expect(embed).toMatch(/^<object\b.*<\/object>$/s)
  for (const name of ['movie', 'allowFullScreen', 'allowscriptaccess']) {
    expect(embed).toMatch(new RegExp(`<param\\b[^>]*name="${name}"`))
  }
  for (const element of ['object', 'embed']) {
    const tag = new RegExp(`<${element}\\b[^>]*>`).exec(String(embed))?.[0] ?? ''
    expect(tag).toContain('width="640"')
    expect(tag).toContain('height="390"')
  }
  expect(embed).toContain(videoId)
  expect(embed).not.toMatch(/&(?!amp;)/)
}

async function put(id: unknown, fields: Fields): Promise<Fields> {
  const json = { ...requiredFields, ...fields }
  return parseFields(await service.call({ method: 'PUT', path: toPath(id), as: 'admin', json }))
}

describe('The embed that was not given', () => {
  for (const [address, videoId] of known) {
    test(`is built from ${address}`, async () => {
      checkShape((await service.create({ source_url: address })).embed, videoId)
    })
  }

  for (const address of unknown) {
    test(`is empty for the source ${JSON.stringify(address)}`, async () => {
      expect((await service.create({ source_url: address })).embed).toBe('')
    })
  }

  for (const address of hostile) {
    test(`holds nothing hostile of ${address}`, async () => {
      const { embed } = await service.create({ source_url: address })
      expect(embed).not.toMatch(/script>|onload/)
      if (embed !== '') expect((await service.create({ embed })).embed).toBe(embed)
    })
  }

  test('is built by a PUT too', async () => {
    const { id } = await service.create({ embed: own })
    checkShape((await put(id, { source_url: first })).embed, 'aaaaaaaaaaa')
  })

  test('is empty after a PUT without a source', async () => {
    const { id } = await service.create({ source_url: first })
    expect((await put(id, {})).embed).toBe('')
  })
})

describe('The embed that was given', () => {
  test('is kept byte for byte beside a known source', async () => {
    expect((await service.create({ source_url: first, embed: own })).embed).toBe(own)
  })

  test('stays empty when it was given as empty', async () => {
    expect((await service.create({ source_url: first, embed: '' })).embed).toBe('')
  })

  test('stays when a PATCH changes the source', async () => {
    const { id } = await service.create({ source_url: first, embed: own })
    expect(parseFields(await service.patch(id, { source_url: second })).embed).toBe(own)
  })

  test('goes before the built one in a PATCH of both', async () => {
    const { id } = await service.create({ source_url: first })
    expect(parseFields(await service.patch(id, { source_url: second, embed: own })).embed).toBe(own)
  })
})

describe('The built embed', () => {
  test('is rebuilt when a PATCH changes the source', async () => {
    const { id } = await service.create({ source_url: first })
    const { embed } = parseFields(await service.patch(id, { source_url: second }))
    checkShape(embed, 'bbbbbbbbbbb')
    expect(embed).not.toContain('aaaaaaaaaaa')
  })

  test('is rebuilt when a JSON Patch changes the source', async () => {
    const { id } = await service.create({ source_url: first })
    const headers = { 'Content-Type': 'application/json-patch+json' }
    const json = [{ op: 'replace', path: '/source_url', value: second }]
    const answer = await service.call({ method: 'PATCH', path: toPath(id), as: 'admin', json, headers })
    checkShape(parseFields(answer).embed, 'bbbbbbbbbbb')
  })

  test('becomes empty when a PATCH names an unknown host', async () => {
    const { id } = await service.create({ source_url: first })
    expect(parseFields(await service.patch(id, { source_url: 'https://example.org/' })).embed).toBe('')
  })

  test('stays when a PATCH changes something else', async () => {
    const { id, embed } = await service.create({ source_url: first })
    expect(parseFields(await service.patch(id, { title: 'Another title' })).embed).toBe(embed)
  })

  test('is itself accepted when it is sent', async () => {
    const { embed } = await service.create({ source_url: first })
    const json = { ...requiredFields, embed }
    const answer = await service.call({ method: 'POST', path: listPath, as: 'admin', json })
    expect([answer.status, parseFields(answer).embed]).toEqual([201, embed])
  })
})
