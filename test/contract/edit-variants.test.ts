import { beforeAll, describe, expect, test } from 'bun:test'
import type { RawAnswer } from '../harness/raw.ts'
import { type Part, parsePage } from '../site/page-tree.ts'
import { type NameKind, useNames } from './curated-names.ts'
import type { Curator, FieldList } from './curator.ts'
import { hiddenOf, locationOf, signInAs, textOf } from './name-pages.ts'
import { fail, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['reader', 'publisher'], args: ['--threads', '1'] })
const { findName, createTalk, readNames, ask } = useNames(service)

let publisher: Curator
let reader: Curator
beforeAll(async () => {
  publisher = await signInAs(service, 'publisher')
  reader = await signInAs(service, 'reader')
})

const kinds: readonly NameKind[] = ['speaker', 'tag']

describe.each(kinds)('The page of possible duplicates of %ss', (kind) => {
  const path = `/edit/variants/${kind}`

  /** Names that differ in case, the first one used twice, and a talk of each. */
  async function createGroup(...names: readonly string[]) {
    const talks: number[] = []
    for (const name of [...names, names[0] ?? '']) talks.push(await createTalk(kind, [name], { title: `By ${name}` }))
    const ids: number[] = []
    for (const name of names) ids.push(Number((await findName(kind, name)).id))
    return { talks, ids }
  }

  const findGroup = (page: RawAnswer, name: string): Part | undefined =>
    parsePage(page.body)
      .all('section')
      .find((each) => each.all('th').some((cell) => cell.text === name))

  /** The fields of a group, as the browser sends them untouched. */
  function fieldsOf(page: RawAnswer, name: string): FieldList {
    const group = findGroup(page, name) ?? fail(`no group with ${name}`)
    const sent = group.all('input').filter((input) => {
      const type = input.attribute('type')
      return type === 'hidden' || input.attribute('checked') !== undefined
    })
    const [key] = hiddenOf(page, 'key').filter(([field]) => field === 'key')
    return [
      key ?? fail('no key'),
      ...sent.map((input) => [input.attribute('name') ?? '', input.attribute('value') ?? ''] as const),
    ]
  }

  /** The field of a button of the group. */
  function pressed(page: RawAnswer, name: string, label: string): FieldList[number] {
    const group = findGroup(page, name) ?? fail(`no group with ${name}`)
    const button = group.all('button').find((each) => each.text === label) ?? fail(`no button ${label}`)
    return ['do', button.attribute('value') ?? '']
  }

  const press = (page: RawAnswer, name: string, label: string): FieldList => [
    ...fieldsOf(page, name),
    pressed(page, name, label),
  ]

  test('shows names side by side with counts and example talks', async () => {
    await createGroup('Side Case', 'side case')
    const group = findGroup(await reader.get(path), 'Side Case') ?? fail('no group')
    expect(group.text).toContain('Differ only in capitals')
    const rows = group.all('tr').slice(1)
    expect(rows.map((row) => row.all('td').map((cell) => cell.text))).toEqual([
      ['2', 'By Side Case Contract testsBy Side Case Contract tests'],
      ['1', 'By side case Contract tests'],
    ])
    expect(group.all('button')).toHaveLength(0)
  })

  test('merges a group in one step and gives everything back in another', async () => {
    const { talks } = await createGroup('Once Case', 'once case', 'ONCE case')
    const merge = press(await publisher.get(path), 'Once Case', 'Merge')
    const done = locationOf(await publisher.post(path, merge))
    expect(done).toMatch(new RegExp(`^${path}\\?merged=\\d+&into=\\d+#group-\\d+$`))
    for (const talk of talks) expect(await readNames(kind, talk)).toEqual(['Once Case'])
    const after = await publisher.get(done.replace(/#.*/, ''))
    expect(findGroup(after, 'Once Case')).toBeUndefined()
    expect(textOf(after)).toContain('Merged into “Once Case”: 2 talks changed.')
    // A second click on the same form does nothing more.
    expect(locationOf(await publisher.post(path, merge))).toBe(done)
    const undone = locationOf(await publisher.post(path, [...hiddenOf(after, 'batch'), ['do', 'undo']]))
    expect(undone).toBe(`${path}?undone=all`)
    const before = await publisher.get(undone)
    expect(textOf(before)).toContain('Undone.')
    expect(findGroup(before, 'once case')?.all('th').length).toBeGreaterThan(3)
    expect(await readNames(kind, talks[1] ?? 0)).toEqual(['once case'])
  })

  test('merges only what is ticked, into what is chosen', async () => {
    const { talks, ids } = await createGroup('Some Case', 'some case', 'SOME case')
    const sent = press(await publisher.get(path), 'Some Case', 'Merge')
    const shown = sent.filter(([name]) => !/^(?:keep|merge)\./.test(name))
    const number = sent.find(([name]) => name === 'do')?.[1].replace('merge ', '') ?? ''
    const keep = [`keep.${number}`, String(ids[1])] as const
    expect(textOf(await publisher.post(path, [...shown, keep]))).toContain('Tick at least one name')
    await publisher.post(path, [...shown, keep, [`merge.${number}`, String(ids[0])]])
    expect(await Promise.all(talks.map((talk) => readNames(kind, talk)))).toEqual([
      ['some case'],
      ['some case'],
      ['SOME case'],
      ['some case'],
    ])
  })

  test('merges names with line breaks, which browsers send as others', async () => {
    const { talks, ids } = await createGroup('Broken\nCase', 'broken\ncase')
    const fields: FieldList = [
      ['key', `broken-line-case-${kind}`],
      ['keep.1', String(ids[0])],
      ['merge.1', String(ids[1])],
      [`name.${ids[0]}`, 'Broken\nCase'],
      [`name.${ids[1]}`, 'broken\ncase'],
      ['do', 'merge 1'],
    ]
    expect(locationOf(await publisher.post(path, fields))).toContain('merged=')
    expect(await readNames(kind, talks[1] ?? 0)).toEqual(['Broken\nCase'])
  })

  test('merges nothing that was renamed or merged meanwhile', async () => {
    const { talks, ids } = await createGroup('Late Case', 'late case')
    const fields = press(await publisher.get(path), 'Late Case', 'Merge')
    await ask('PATCH', `${kind}/${ids[1]}`, { name: 'Somebody else' })
    expect(textOf(await publisher.post(path, fields))).toContain('renamed or merged one of these')
    expect(await readNames(kind, talks[1] ?? 0)).toEqual(['Somebody else'])
    const other = await createGroup('Slow Case', 'slow case')
    const slow = press(await publisher.get(path), 'Slow Case', 'Merge')
    await ask('POST', `${kind}/${other.ids[0]}/merge`, { into: other.ids[1] })
    expect(textOf(await publisher.post(path, slow))).toContain('renamed or merged one of these')
    expect(await readNames(kind, other.talks[0] ?? 0)).toEqual(['slow case'])
  })

  test('hides a group that is not the same, lists it, and shows it again', async () => {
    await createGroup('Hidden Case', 'hidden case')
    const fields = press(await publisher.get(path), 'Hidden Case', 'Not the same')
    const done = locationOf(await publisher.post(path, fields)).replace(/#.*/, '')
    const after = await publisher.get(done)
    expect(findGroup(after, 'Hidden Case')).toBeUndefined()
    const list = await reader.get(`${path}?dismissed=1`)
    expect(textOf(list)).toContain('Hidden Case 2 talks')
    expect(textOf(list)).toContain('by the publisher')
    expect(parsePage(list.body).one('main').all('form')).toHaveLength(0)
    const shown = locationOf(await publisher.post(path, [...hiddenOf(after, 'id'), ['do', 'show']]))
    expect(findGroup(await publisher.get(shown), 'Hidden Case')).toBeDefined()
    expect(textOf(await reader.get(`${path}?dismissed=1`))).not.toContain('Hidden Case')
  })

  test('lists the groups of one reason, with the number of each', async () => {
    await createGroup('Kind Case', 'kind case')
    await createGroup('Ki nd', 'Kind')
    const page = await reader.get(`${path}?reason=space`)
    expect(findGroup(page, 'Ki nd')).toBeDefined()
    expect(findGroup(page, 'Kind Case')).toBeUndefined()
    const links = parsePage(page.body)
      .all('nav')
      .find((nav) => nav.attribute('aria-label') === 'By difference')
    expect(links?.all('a').map((link) => link.text.replace(/ \d+$/, ''))).toEqual(
      expect.arrayContaining(['All', 'Capitals', 'Spaces']),
    )
    expect(
      links
        ?.all('a')
        .find((link) => link.text.startsWith('Spaces'))
        ?.attribute('aria-current'),
    ).toBe('true')
    expect((await reader.get(`${path}?reason=looks`)).status).toBe(200)
  })

  test('merges all groups of a page after a preview, and gives everything back at once', async () => {
    const first = await createGroup('Whole Case', 'whole case')
    const second = await createGroup('Whole Andmore', 'whole andmore')
    const page = await publisher.get(`${path}?reason=case`)
    const fields = ['Whole Case', 'Whole Andmore'].flatMap((name) => fieldsOf(page, name))
    const preview = await publisher.post(`${path}?reason=case`, [...fields, ['do', 'preview']])
    expect(textOf(preview)).toContain('Merge 2 names?')
    expect(textOf(preview)).toContain('Up to 2 talks change.')
    expect(await readNames(kind, first.talks[1] ?? 0)).toEqual(['whole case'])
    const merge: FieldList = [...hiddenOf(preview, 'key'), ['do', 'merge all']]
    const done = locationOf(await publisher.post(`${path}?reason=case`, merge))
    const after = await publisher.get(done)
    expect(textOf(after)).toContain('2 names merged: 2 talks changed.')
    const talks = [first.talks[1] ?? 0, second.talks[1] ?? 0]
    expect(await Promise.all(talks.map((talk) => readNames(kind, talk)))).toEqual([['Whole Case'], ['Whole Andmore']])
    await publisher.post(path, [...hiddenOf(after, 'batch'), ['do', 'undo']])
    expect(await Promise.all(talks.map((talk) => readNames(kind, talk)))).toEqual([['whole case'], ['whole andmore']])
  })

  test('can be paged; a page that cannot exist is missing', async () => {
    expect((await reader.get(`${path}?page=99`)).status).toBe(404)
    expect((await reader.get(`${path}?page=x`)).status).toBe(404)
    expect((await reader.get(`${path}?merged=x&hidden=1,x&undone=<b>&page=1`)).status).toBe(200)
  })

  test('refuses forms that are not its own', async () => {
    for (const fields of [[], [['do', 'x']], [['do', 'merge']], [['do', 'undo']], [['do', 'show']]] as const) {
      expect((await publisher.post(path, fields)).status).toBe(400)
    }
    const key = ['key', 'k'.repeat(20)] as const
    expect((await publisher.post(path, [key, ['do', 'undo'], ['batch', '1e3']])).status).toBe(400)
    const missing = await publisher.post(path, [key, ['do', 'undo'], ['batch', '99999']])
    expect(textOf(missing)).toContain('No such batch')
  })
})
