import { beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createBulk } from './bulk-change.ts'
import { listHidden, openBulkPages, readCounts, requireBatch } from './bulk-pages.ts'
import type { FieldList } from './curator.ts'
import { isFields, parseFields, useService } from './service.ts'
import { batchPath } from './versions.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['editor', 'publisher'], args: ['--threads', '1'] })
const { createMany, dryRun } = createBulk(service)

/** One operation, as the API takes it and as the form sends it. */
interface Step {
  readonly field: string
  readonly value: unknown
  readonly typed: FieldList
}

const set = (field: string, value: unknown, text: string): Step => ({ field, value, typed: [[`field.${field}`, text]] })
const clear = (field: string, value: unknown): Step => ({ field, value, typed: [[`field.${field}.clear`, 'yes']] })

const anyNames = fc.uniqueArray(fc.constantFrom('one', 'two', 'drei', '四', 'fünf 5', '<b>'), {
  minLength: 1,
  maxLength: 3,
})

const toChange = (field: string) =>
  fc.tuple(anyNames, anyNames).map(([add, given]): Step => {
    const remove = given.filter((name) => !add.includes(name))
    const typed: FieldList = [
      [`field.${field}.add`, add.join('\n')],
      [`field.${field}.remove`, remove.join('\n')],
    ]
    return { field, value: remove.length === 0 ? { add } : { add, remove }, typed }
  })
const toReplacement = (field: string) => anyNames.map((names) => set(field, names, `\n ${names.join(' \n\n ')}\n`))

const edit = (field: string, value: unknown, typed: FieldList): Step => ({ field, value, typed })
const toPart = (field: string, operation: string, text: string, replacement = ''): FieldList => [
  ['part.field', field],
  ['part.do', operation],
  ['part.text', text],
  ['part.with', replacement],
]
/** At most one of them is in a form. */
const anyPart = fc.constantFrom(
  edit('title', { find: 'talk', replace: 'Talk' }, toPart('title', 'replace', 'talk', 'Talk')),
  edit('title', { find: 'A talk', replace: '' }, toPart('title', 'replace', 'A talk')),
  edit('title', { prefix: ': ' }, toPart('title', 'prefix', ': ')),
  edit('summary', { suffix: ' <b>' }, toPart('summary', 'suffix', ' <b>')),
  edit('summary', { cut_start: 'S', prefix: 'T' }, toPart('summary', 'start', 'S', 'T')),
  edit('title', { cut_end: 'talk' }, toPart('title', 'end', 'talk')),
)
const anyFix = fc.constantFrom(
  edit('duration', { multiply: 60, if_plausible: true }, [['fix.length', 'multiply']]),
  edit('duration', { divide: 1000, if_plausible: true }, [['fix.length', 'divide']]),
  edit('thumbnail_url', { from_source: true }, [['fix.thumbnail', 'yes']]),
  edit('speakers', { split: true }, [['fix.speakers', 'yes']]),
  edit('source_url', { cut_start: 'http://', prefix: 'https://' }, [['fix.https', 'source_url']]),
)

const anyStep = fc.oneof(
  ...['speakers', 'tags'].flatMap((field) => [toChange(field), toReplacement(field), fc.constant(clear(field, []))]),
  fc.constantFrom(
    set('language', 'German', 'de'),
    clear('language', ''),
    set('summary', 'a\nb  ', 'a\nb  '),
    clear('summary', ''),
    set('duration', 3661, '1:01:01'),
    clear('duration', null),
    set('state', 1, '1'),
    set('state', 2, '2'),
    set('category', 'Elsewhere', ' Elsewhere '),
    set('video_mp4_url', 'https://media.example.org/a.mp4', 'https://media.example.org/a.mp4'),
    clear('video_mp4_url', null),
    set('video_mp4_download_only', false, 'no'),
    set('recorded', '2024-05-31', '2024-05-31'),
  ),
)
const anySteps = fc
  .tuple(
    fc.array(fc.oneof(anyPart, anyFix), { maxLength: 1 }),
    fc.uniqueArray(anyStep, { minLength: 1, maxLength: 4, selector: ({ field }) => field }),
  )
  .map(([edits, steps]) => [...edits, ...steps.filter(({ field }) => field !== edits[0]?.field)])

let ids: readonly number[] = []
beforeAll(async () => {
  const full = Array.from({ length: 199 }, (_, i) => `t${i}`)
  ids = [
    ...(await createMany(3, { category: 'Agreed', state: 2, tags: ['one', 'zwei'], summary: 'S', duration: 5 })),
    ...(await createMany(3, { category: 'Agreed', language: 'German', speakers: ['drei', 'Ada Quill'] })),
    ...(await createMany(1, { category: 'Agreed', state: 2, tags: full })),
    9_999_999,
  ]
})

test('A preview shows what a dry run of the API returns, and applying does exactly that', async () => {
  const pages = { editor: await openBulkPages(service, 'editor'), publisher: await openBulkPages(service, 'publisher') }
  const positions = fc.uniqueArray(fc.nat(ids.length - 1), { minLength: 1 })
  const lists = fc.constantFrom('category=agreed', 'category=agreed&state=2', 'tag=one', 'missing=language&ordering=id')
  const anyChoice = fc.oneof(positions, lists)
  await fc.assert(
    fc.asyncProperty(anyChoice, anySteps, fc.constantFrom('editor', 'publisher'), async (choice, steps, as) => {
      const chosen = typeof choice === 'string' ? null : choice.map((at) => ids[at] ?? 0)
      const query = typeof choice === 'string' ? choice.replace('&ordering=id', '') : ''
      const select = chosen === null ? { query } : { ids: chosen }
      const patch = Object.fromEntries(steps.map(({ field, value }) => [field, value]))
      const told = await dryRun({ select, patch }, { as })
      const { preview, press } = pages[as]
      const sent: FieldList = chosen === null ? [['list', String(choice)]] : [['id', chosen.join(',')]]
      const page = await preview(
        sent,
        steps.flatMap(({ typed }) => typed),
      )
      const { expect: total, as_of } = Object.fromEntries(listHidden(page))
      expect([total, as_of]).toEqual([String(told.total), String(told.as_of)])
      const refused = Number(told.refused_count)
      const willChange = Number(told.changed)
      expect(readCounts(page)).toEqual({ willChange, alreadySo: Number(told.unchanged) - refused, refused })
      expect(page.body.match(/<th scope="row">/g)?.length ?? 0).toBe(willChange)
      for (const each of [told.refused, told.differences].flat().filter(isFields)) {
        expect(page.body).toMatch(new RegExp(`/edit/video/${each.id}[?"]|<span>${each.id}</span>`))
      }
      if (willChange === 0) return
      const batch = requireBatch(await press(page, refused === 0 ? 'apply' : 'apply-others'))
      const done = parseFields(await service.call({ method: 'GET', path: `${batchPath}/${batch}`, as: 'admin' }))
      const { total: all, changed, unchanged, refused: refusals } = told
      expect(done).toMatchObject({ total: all, changed, unchanged, refused: refusals })
    }),
    { numRuns: 60 },
  )
}, 120_000)
