import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runRostrum } from '../archive/command.ts'
import { withFolder } from '../faults/scratch.ts'
import { useNames } from './curated-names.ts'
import { importServed, writeFile } from './importing.ts'
import { type Fields, parseFields, useService } from './service.ts'
import { undo } from './versions.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['publisher'] })
const { ask, get, findName } = useNames(service)

const quay = {
  ...{ title: 'Quay Days 2020', description: 'By the water', url: 'https://quay.example/', place: 'Rotterdam' },
  ...{ start_date: '2020-05-01', end_date: '2020-05-03', series: 'Quay Days' },
}
const ada = { name: 'Ada Stoker', note: 'Keeps *boilers*.', links: ['https://ada.example/'] }

function writeQuay(folder: string, category: Fields = quay, speakers: readonly unknown[] = [ada]): string {
  const archive = join(folder, 'quay')
  writeFile(archive, 'quay-2020/category.json', category)
  writeFile(archive, 'quay-2020/videos/boilers.json', { title: 'Boilers', speakers: [ada.name, 'Bo Mate'] })
  if (speakers.length > 0) writeFile(archive, 'speakers.json', { speakers })
  return archive
}

const readEvent = async () => parseFields(await get('category/quay-days-2020'))
const readSpeaker = async (name: string) => parseFields(await get(`speaker/${(await findName('speaker', name)).id}`))

async function exportFolder(out: string): Promise<Fields> {
  const { db } = service.server()
  const { exitCode } = await runRostrum('export', '--format', 'pyvideo', '--out', out, '--db', db)
  expect(exitCode).toBe(0)
  const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.json'))
  return Object.fromEntries(files.map((path) => [path, JSON.parse(readFileSync(join(out, path), 'utf8'))]))
}

test('fields of events and profiles of speakers come in with a folder, and go out with it', () =>
  withFolder(async (folder) => {
    const archive = writeQuay(folder)
    expect((await importServed(service, archive)).exitCode).toBe(0)
    expect(await readEvent()).toMatchObject(quay)
    expect(await readSpeaker(ada.name)).toMatchObject(ada)
    const first = await exportFolder(join(folder, 'first'))
    expect([first['quay-2020/category.json'], first['speakers.json']]).toEqual([quay, { speakers: [ada] }])

    await ask('PATCH', 'category/quay-days-2020', { place: '', series: 'Quays' })
    await ask('PATCH', `speaker/${(await findName('speaker', 'Bo Mate')).id}`, { links: ['https://bo.example/'] })
    const second = await exportFolder(join(folder, 'second'))
    const { place: _, ...rest } = quay
    expect(second['quay-2020/category.json']).toEqual({ ...rest, series: 'Quays' })
    expect(second['speakers.json']).toEqual({ speakers: [ada, { name: 'Bo Mate', links: ['https://bo.example/'] }] })
  }))

test('a later import replaces what nobody has changed, leaves the rest, and is undone as one batch', () =>
  withFolder(async (folder) => {
    await ask('PATCH', 'category/quay-days-2020', { place: 'Antwerp', series: quay.series })
    const before = [await readEvent(), await readSpeaker(ada.name), await readSpeaker('Bo Mate')]
    const { url: _, ...without } = quay
    const category = { ...without, place: 'Ghent', end_date: '2020-05-04', series: 'Quay Days EU' }
    const speakers = [
      { ...ada, note: 'Another note' },
      { name: 'Bo Mate', note: 'Sails' },
      { name: 'Nobody', note: 'x' },
    ]
    const { report } = await importServed(service, writeQuay(folder, category, speakers))
    const kept = { place: 'Antwerp', url: '', end_date: '2020-05-04', series: 'Quay Days EU' }
    expect(await readEvent()).toMatchObject(kept)
    expect(await readSpeaker(ada.name)).toMatchObject(ada)
    expect(await readSpeaker('Bo Mate')).toMatchObject({ note: 'Sails', links: ['https://bo.example/'] })

    const undone = parseFields(await undo(service, report.batch))
    expect(undone.others).toEqual([
      { kind: 'speaker', id: before[2]?.id, fields: ['note'], left: null, by: null },
      { kind: 'category', id: 'quay-days-2020', fields: ['url', 'end_date', 'series'], left: null, by: null },
    ])
    const { updated: ___, ...event } = before[0] ?? {}
    expect([await readEvent(), await readSpeaker(ada.name), await readSpeaker('Bo Mate')]).toMatchObject([
      event,
      ...before.slice(1),
    ])
    await undo(service, undone.id)
    expect(await readEvent()).toMatchObject(kept)
  }))

test('values that do not fit are named, and change nothing', () =>
  withFolder(async (folder) => {
    const before = await readEvent()
    const category = { title: quay.title, start_date: '2020-05-01', end_date: '2020-04-01', url: 'nowhere', place: 7 }
    const speakers = [{ note: 'x' }, { name: 'Bo Mate', links: ['javascript:x'] }, { name: 'Bo Mate', colour: 'red' }]
    const { exitCode, report } = await importServed(service, writeQuay(folder, category, speakers))
    expect(exitCode).toBe(65)
    const named = JSON.stringify(report)
    for (const text of ['end_date', 'url', 'place', 'speakers.json, entry 1', 'entry 2', 'entry 3', 'Unknown field.'])
      expect([text, named.includes(text)]).toEqual([text, true])
    const { description: _, ...others } = before
    expect(await readEvent()).toMatchObject({ place: others.place, end_date: others.end_date, url: others.url })
  }))
