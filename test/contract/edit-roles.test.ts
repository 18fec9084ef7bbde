import { describe, expect, test } from 'bun:test'
import { hasRole, roles } from '../../src/record/role.ts'
import { createCurator } from './curator.ts'
import { editRows, sampleNames, toEditAddress } from './edit-table.ts'
import { useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'editor', 'publisher'], args: ['--threads', '1'] })

describe.each(editRows)('$method $path', ({ path, method, role }) => {
  test.each([...roles])(`is allowed for %s or not: it needs ${role ?? 'no role'}`, async (own) => {
    const { id } = await service.create(sampleNames)
    const curator = createCurator(service)
    await curator.signIn(service.keyOf(own))
    const address = toEditAddress(path, id)
    const { status } = method === 'GET' ? await curator.get(address) : await curator.post(address, [])
    // What is wrong with an empty form is found after the role was checked.
    const allowed = method === 'GET' ? [200] : [200, 303, 400, 401]
    // There is no batch, so that a page of one is missing for everybody who may look for it.
    if (path === '/edit/batches/:id') allowed.push(404)
    if (role === null || hasRole(own, role)) expect(allowed).toContain(status)
    else expect(status).toBe(403)
  })

  test('needs a session, unless it needs no role', async () => {
    const { id } = await service.create(sampleNames)
    const address = toEditAddress(path, id)
    const curator = createCurator(service)
    const { status, body } =
      method === 'GET' ? await curator.get(address) : await curator.post(address, [], { token: 'x' })
    if (role !== null) expect(status).toBe(method === 'GET' ? 303 : 401)
    else expect([200, 401]).toContain(status)
    expect(body.includes('A talk')).toBe(false)
  })
})

describe('A role that is too low', () => {
  async function signInReader() {
    const reader = createCurator(service)
    await reader.signIn(service.keyOf('reader'))
    return reader
  }

  test('leads from a page to the form for another access token, and back to the page', async () => {
    const { body } = await (await signInReader()).get('/edit/bulk')
    expect(body).toContain('Your role (reader) does not allow this.')
    expect(body).toContain('<a href="/edit/sign-in?next=%2Fedit%2Fbulk">Sign in with another access token</a>')
  })

  test('keeps a form that was sent, while another tab signs in', async () => {
    const { body } = await (await signInReader()).post('/edit/park', [['id', '1']])
    expect(body).toMatch(/<a href="\/edit\/sign-in" target="_blank"[^>]*>Sign in with another access token<\/a>/)
    expect(body).toContain('Send again')
  })
})

test('There are pages to check', () => {
  expect(editRows.length).toBeGreaterThan(5)
})
