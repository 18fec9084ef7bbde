import { describe, expect, test } from 'bun:test'
import { parse } from 'parse5'
import { headerOf } from '../harness/raw.ts'
import { listActing } from './acting-markup.ts'
import { createCurator, type FieldList } from './curator.ts'
import { deeds } from './edit-deeds.ts'
import { checkEditHeaders } from './edit-table.ts'
import { fail, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ args: ['--threads', '1'] })

const evil = '"><script>window.pwned=1</script><img src=x onerror=window.pwned=1>'
/** What pages show again, whatever the form is about. */
const more = [
  'reason',
  'list',
  'next',
  'name',
  'into',
  'into_key',
  'address',
  'category',
  'field.title',
  'field.summary',
]

describe('Hostile texts in a form are texts in the page that answers it:', () => {
  test.each(Object.keys(deeds).filter((path) => path !== '/edit/sign-out'))(
    '%s',
    async (path) => {
      const curator = createCurator(service)
      await curator.signIn(service.keyOf('admin'))
      const token = await curator.readToken()
      const { address, fields } = await (deeds[path] ?? fail(path))({ service, curator })
      const names = [...fields.map(([name]) => name), ...more]
      const toSent = (isEvil: (name: string) => boolean): FieldList => [
        ...fields.filter(([name]) => !isEvil(name)),
        ...names.filter(isEvil).map((name) => [name, evil] as const),
      ]
      const cases = [
        ...names.map((name) => toSent((each) => each === name)),
        toSent((name) => name !== 'do'),
        toSent((name) => !['do', 'etag', 'key', 'id', 'expect', 'as_of', 'hash', 'tag'].includes(name)),
      ]
      for (const sent of cases) {
        const answer = await curator.post(address, sent, { token })
        expect([sent, answer.status < 500]).toEqual([sent, true])
        checkEditHeaders(answer)
        const isPage = headerOf(answer, 'Content-Type')?.startsWith('text/html') === true
        if (isPage) expect([sent, listActing(parse(answer.body))]).toEqual([sent, []])
        else expect([200, 303]).toContain(answer.status)
        const location = headerOf(answer, 'Location')
        if (location !== null) expect([sent, location]).toEqual([sent, expect.stringMatching(/^\/edit(?:[/?]|$)/)])
      }
    },
    60_000,
  )
})
