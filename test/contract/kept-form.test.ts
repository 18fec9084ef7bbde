import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { type Curator, createCurator, type FieldList, listForms } from './curator.ts'
import { fail, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader'], args: ['--threads', '2', '--wrong-tokens', '1000'] })

async function signedIn(): Promise<Curator> {
  const curator = createCurator(service)
  await curator.signIn(service.keyOf('reader'))
  return curator
}

const ownOrigin = () => `http://127.0.0.1:${service.server().port}`

describe('What was typed into a form whose session has ended', () => {
  const typed: FieldList = [
    ['title', 'Größe & "Maß" <b>'],
    ['text', '\n  first\r\nsecond\n\nlast  \n'],
    ['tag', 'one'],
    ['tag', 'two'],
    ['key', 'of another form'],
    ['typed:x', 'y'],
    ['empty', ''],
  ]
  const normalise = (fields: FieldList) => fields.map(([name, value]) => [name, value.replace(/\r\n?|\n/g, '\n')])

  /** Sends the form without a session; gives what the sign-in form has kept of it. */
  async function sendLate(curator: Curator, fields: FieldList) {
    const answer = await curator.post('/edit/sessions?from=here', fields, { token: 'of-the-past' })
    const form = listForms(answer.body).find(({ action }) => action === '/edit/sign-in') ?? fail(answer.body)
    return { answer, form }
  }

  test('is in the sign-in form, survives a wrong key, and is sent again afterwards', async () => {
    const curator = createCurator(service)
    const { answer, form } = await sendLate(curator, typed)
    expect(answer.status).toBe(401)
    expect(answer.body).toContain('Your session has ended')
    const wrong = await curator.post('/edit/sign-in', [...form.fields, ['key', 'rst_wrong']], { token: null })
    const [again = fail(wrong.body)] = listForms(wrong.body)
    expect([wrong.status, normalise(again.fields)]).toEqual([401, normalise(form.fields)])
    const key = ['key', service.keyOf('reader')] as const
    const signed = await curator.post('/edit/sign-in', [...again.fields, key], { token: null })
    expect(signed.status).toBe(200)
    const repeat = listForms(signed.body).find(({ action }) => action === '/edit/sessions?from=here') ?? fail('No form')
    const fields = repeat.fields.filter(([name]) => name !== 'csrf')
    expect(normalise(fields)).toEqual(normalise(typed))
    expect(repeat.fields.find(([name]) => name === 'csrf')?.[1]).toBe(await curator.readToken())
  })

  test('has its own check: another session’s token does not send it', async () => {
    const [curator, other] = [createCurator(service), await signedIn()]
    const { form } = await sendLate(curator, [['others', '1']])
    const key = ['key', service.keyOf('reader')] as const
    const signed = await curator.post('/edit/sign-in', [...form.fields, key], { token: null })
    const repeat = listForms(signed.body).find(({ fields }) => fields.some(([name]) => name === 'others'))
    const { action, fields } = repeat ?? fail('No form')
    const without = fields.filter(([name]) => name !== 'csrf')
    expect((await curator.post(action, without, { token: await other.readToken() })).status).toBe(403)
    expect(await other.isIn()).toBe(true)
    expect((await curator.post(action, fields, { token: null })).status).toBe(303)
    expect(await other.isIn()).toBe(false)
  })

  test('is kept without the query of an address that is too long to repeat', async () => {
    const path = `/edit/sessions?list=${'x'.repeat(3_000)}`
    const { body } = await createCurator(service).post(path, typed, { token: 'of-the-past' })
    const { fields } = listForms(body).find(({ action }) => action === '/edit/sign-in') ?? fail(body)
    expect(fields).toContainEqual(['next', '/edit/sessions'])
    expect(fields).toContainEqual(['typed:tag', 'two'])
  })

  test('may have 4 MiB, and not more', async () => {
    const curator = await signedOutElsewhere()
    const text = 'é'.repeat(2 * 1024 * 1024 - 500)
    const { answer, form } = await sendLate(curator, [['text', text]])
    expect(answer.status).toBe(401)
    const key = ['key', service.keyOf('reader')] as const
    const signed = await curator.post('/edit/sign-in', [...form.fields, key], { token: null })
    const kept = listForms(signed.body)
      .flatMap(({ fields }) => fields)
      .find(([name]) => name === 'text')
    expect([signed.status, kept?.[1] === text]).toEqual([200, true])
    const large = await curator.post('/edit/sessions', [['text', `${text}${'x'.repeat(2_000)}`]], { token: 'x' })
    expect([large.status, headerOf(large, 'Content-Type')]).toEqual([413, 'text/html; charset=utf-8'])
  }, 30_000)
})

/** A browser with the cookie of a session that has ended. */
async function signedOutElsewhere(): Promise<Curator> {
  const [curator, other] = [await signedIn(), await signedIn()]
  expect((await other.post('/edit/sessions', [['others', '1']])).status).toBe(303)
  expect(await curator.isIn()).toBe(false)
  return curator
}

describe('A form without a session cookie', () => {
  test('is kept up to 64 KiB, through the sign-in form, too', async () => {
    const curator = createCurator(service)
    const text = 'x'.repeat(60 * 1024)
    const kept = await curator.post('/edit/sessions', [['text', text]], { token: null })
    const { fields } = listForms(kept.body)[0] ?? fail(kept.body)
    expect([kept.status, fields]).toEqual([401, expect.arrayContaining([['typed:text', text]])])
    const signed = await curator.post('/edit/sign-in', [...fields, ['key', service.keyOf('reader')]], { token: null })
    expect([signed.status, signed.body.includes(text)]).toEqual([200, true])
  })

  test('is refused above that with a page that says what to do, and does not repeat it', async () => {
    const large: FieldList = [['text', 'q'.repeat(70 * 1024)]]
    const answer = await createCurator(service).post('/edit/new', large, { token: null })
    expect([answer.status, headerOf(answer, 'Content-Type')]).toEqual([413, 'text/html; charset=utf-8'])
    expect(answer.body).toContain('Sign in')
    expect(answer.body).not.toContain('qqqq')
  })

  test('of a made-up session counts as one of a session that has ended', async () => {
    const curator = createCurator(service)
    curator.cookies.set('rostrum_session', 'A'.repeat(43))
    const answer = await curator.post('/edit/new', [['text', 'q'.repeat(70 * 1024)]], { token: null })
    expect([answer.status, answer.body.includes('qqqq')]).toEqual([401, true])
  })
})

describe('Any form', () => {
  const toFields = (count: number) => Array.from({ length: count }, (_, i) => [`f${i}`, ''] as const)

  test('may have 1,000 fields, which survive signing in', async () => {
    const curator = await signedOutElsewhere()
    const answer = await curator.post('/edit/new', toFields(1_000), { token: null })
    const form = listForms(answer.body)[0] ?? fail(answer.body)
    const key = ['key', service.keyOf('reader')] as const
    const signed = await curator.post('/edit/sign-in', [...form.fields, key], { token: null })
    expect([signed.status, signed.body.includes('name="f999"')]).toEqual([200, true])
  })

  test('is refused with more, with and without a session', async () => {
    for (const curator of [await signedOutElsewhere(), await signedIn()]) {
      const answer = await curator.post('/edit/new', toFields(1_001), { token: null })
      expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('at most 1000 fields')])
    }
  })

  test('is read by the boundary that its fields were counted by', async () => {
    const curator = await signedIn()
    const part = (boundary: string) => `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n`
    const body = Buffer.from(`${part('b').repeat(2_000)}--b--\r\n`)
    for (const type of [
      'boundary=c; boundary=b',
      'boundary="b"; boundary=c',
      'x=boundary=c; boundary=b',
      'boundary=',
    ]) {
      const headers = { Origin: ownOrigin(), Accept: 'text/html', 'Content-Type': `multipart/form-data; ${type}` }
      const cookie = [...curator.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const call = { method: 'POST', path: '/edit/new', headers: { ...headers, Cookie: cookie }, body }
      expect([type, (await service.call(call)).status]).toEqual([type, 400])
    }
  })

  test('says its length once', async () => {
    const body = Buffer.from(`--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--b--\r\n`)
    const lengths = [String(body.length), String(body.length)]
    const headers = {
      Origin: ownOrigin(),
      'Content-Type': 'multipart/form-data; boundary=b',
      'Content-Length': lengths,
    }
    expect((await service.call({ method: 'POST', path: '/edit/new', headers, body })).status).toBe(400)
  })

  test('has a boundary of the characters that a boundary may have', async () => {
    const curator = await signedIn()
    const cookie = [...curator.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    // A reader of the form may look for other bytes than those that were counted.
    for (const boundary of ['é', 'b\u00a0', 'a;b', 'a\tb']) {
      const text = `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n`.repeat(2_000)
      for (const coding of ['latin1', 'utf8'] as const) {
        const type = `multipart/form-data; boundary="${boundary}"`
        const headers = { Origin: ownOrigin(), Accept: 'text/html', 'Content-Type': type, Cookie: cookie }
        const body = Buffer.from(`${text}--${boundary}--\r\n`, coding)
        const { status } = await service.call({ method: 'POST', path: '/edit/new', headers, body })
        expect([boundary, coding, status]).toEqual([boundary, coding, 400])
      }
    }
  })
})

describe('A form of the session before, sent after signing in again in another tab,', () => {
  test('is refused, and can be sent by hand with the new token', async () => {
    const [curator, other] = [await signedIn(), await signedIn()]
    const answer = await curator.post('/edit/sessions', [['others', '1']], { token: 'of-the-past' })
    expect([answer.status, await other.isIn()]).toEqual([403, true])
    expect(answer.body).toContain('nothing was changed')
    // The script leaves it alone.
    expect(answer.body).not.toContain('edit-repeat')
    const { action, fields } =
      listForms(answer.body).find((form) => form.fields.some(([name]) => name === 'others')) ?? fail('No form')
    expect((await curator.post(action, fields, { token: null })).status).toBe(303)
    expect(await other.isIn()).toBe(false)
  })
})
