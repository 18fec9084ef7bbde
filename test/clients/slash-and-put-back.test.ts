import { expect, test } from 'bun:test'
import { fail, type Json, readJson, toList, useArchive } from './archive.ts'

// Runner: long PostgreSQL

const categories = Array.from({ length: 130 }, (_, index) => `Conference ${1000 + index}`)
const archive = useArchive(categories.map((category) => ({ category, title: `Opening of ${category}` })))

/** A command-line client of old: a slash behind every address, the page's number read out of `next`. */
function createClient() {
  const headers = () => ({
    Authorization: `Token ${archive.token()}`,
    Accept: 'application/json',
    'Content-Type': 'application/json',
  })
  const send = async (method: string, path: string, body?: Json) => {
    const init = { method, headers: headers(), ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const answer = await fetch(`${archive.url()}/api/v2/${path}`, init)
    return answer.ok ? readJson(answer) : fail(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  }
  const getCategories = async () => {
    const all: Json[] = []
    let page: string | null = '1'
    for (let asked = 0; page !== null && asked < 10; asked++) {
      const answer: Json = await send('GET', `category/?page=${page}`)
      all.push(...toList(answer.results))
      page = answer.next === null ? null : new URL(String(answer.next)).searchParams.get('page')
    }
    return all
  }
  return { send, getCategories }
}

test('pages through the categories by the number in next', async () => {
  const all = await createClient().getCategories()
  expect(all.map(({ title }) => title).sort()).toEqual([...categories].sort())
})

test('creates a draft and PUTs it back with one field changed', async () => {
  const { send } = createClient()
  const draft = { title: 'A draft', category: 'Conference 1000', state: 2, speakers: ['Ann'], thumbnail_url: null }
  const made = await send('POST', 'video/', draft)
  expect(made).toMatchObject({ title: 'A draft', state: 2, thumbnail_url: '' })
  const got = await send('GET', `video/${made.id}/`)
  expect(got).toEqual(made)
  const put = await send('PUT', `video/${made.id}/`, { ...got, summary: 'Now with a summary' })
  expect(put).toEqual({ ...made, summary: 'Now with a summary', updated: put.updated })
  const published = await send('PUT', `video/${made.id}/`, { ...put, state: 1 })
  expect(published).toEqual({ ...put, state: 1, updated: published.updated })
  expect(await send('GET', `video/${made.id}/`)).toEqual(published)
})

test('finds its new record at the URL in the response, with the token', async () => {
  const headers = { Authorization: `Token ${archive.token()}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ title: 'Fresh', category: 'Conference 1001' })
  const made = await fetch(`${archive.url()}/api/v2/video/`, { method: 'POST', headers, body })
  expect([made.status, made.headers.get('Location')]).toEqual([201, null])
  const item = made.headers.get('Content-Location') ?? fail('no Content-Location')
  expect((await fetch(item, { headers })).status).toBe(200)
})
