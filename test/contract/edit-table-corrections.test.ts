import { describe, expect, test } from 'bun:test'
import { requireBatch } from './bulk-pages.ts'
import type { FieldList } from './curator.ts'
import { openTable, readTableCounts, textOf } from './edit-table-pages.ts'
import { type Fields, listPath, parseFields, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService({ roles: ['publisher'] })
const open = () => openTable(service)

describe('The preview of a table', () => {
  test('has its refused and uncertain cells corrected in the preview', async () => {
    const { paste, press, curator } = await open()
    const table = `title,speakers,length,day\n\nOne,"Ann Lee and Bo Ek",39:07,\n"'=Two","Cy ""C"", Dee",abc,2026-13-40`
    const preview = await paste(table, [['field.category', 'In place']])
    expect(readTableCounts(preview)).toEqual([1, 0, 0, 1])
    for (const [name, value] of [
      ['cell.3.1', 'Ann Lee and Bo Ek'],
      ['cell.4.2', 'abc'],
      ['cell.4.3', '2026-13-40'],
    ])
      expect(preview.body).toMatch(new RegExp(`<input [^>]*name="${name}" [^>]*value="${value}"`))
    const corrections: FieldList = [
      ['cell.3.1', 'Ann Lee; Bo Ek'],
      ['cell.4.2', '40:00'],
      ['cell.4.3', '2026-05-12'],
    ]
    const unseen = await press(preview, 'apply-others', corrections)
    expect([unseen.status, textOf(unseen)]).toEqual([
      409,
      expect.stringContaining('This is the table as you corrected it.'),
    ])
    const again = await press(preview, 'page-0', corrections)
    for (const page of [unseen, again]) expect(readTableCounts(page)).toEqual([2, 0, 0, 0])
    expect(textOf(again)).not.toContain('Looks like several: “Ann')
    const batch = requireBatch(await press(again, 'apply'))
    expect((await curator.get(`/edit/batches/${batch}`)).body).toContain('2 drafts created in <bdi>In place</bdi>')
    const list = parseFields(await service.call({ method: 'GET', path: `${listPath}?category=In+place`, as: 'admin' }))
    const talks = Object(list.results).map(({ title, speakers, duration }: Fields) => [title, speakers, duration])
    expect(talks.sort()).toEqual([
      ['=Two', ['Cy "C", Dee'], 2400],
      ['One', ['Ann Lee', 'Bo Ek'], 2347],
    ])
  })

  test('is not changed by the line ends that a browser sends for a cell', async () => {
    const { paste, press } = await open()
    const preview = await paste('title,event,length\nFine,Lines,1:00\nLines,Lines,"\n1\n\n2"')
    const [, typed = ''] = /<textarea name="cell.3.2"[^>]*>\n?([^<]*)</.exec(preview.body) ?? []
    expect(typed.replaceAll('\r', '')).toBe('\n1\n\n2')
    expect(textOf(await press(preview, 'apply-others', [['cell.3.2', typed]]))).toContain('Done: 1 draft created')
  })

  test('keeps corrections when it is read again in another encoding', async () => {
    const { upload, press } = await open()
    const file = Buffer.from('title,event,length\nM\xfcll,Old,x\n\xe9t\xe9,Old,1:00', 'latin1')
    const preview = await upload(file)
    const unchanged = await press(preview, 'encoding', [
      ['encoding', 'windows-1250'],
      ['cell.2.2', 'x'],
    ])
    expect(unchanged.body).toContain('The file is not in UTF-8')
    const corrected = await press(preview, 'encoding', [
      ['encoding', 'windows-1251'],
      ['cell.2.2', '39:07'],
    ])
    expect([readTableCounts(corrected), textOf(corrected)]).toEqual([[2, 0, 0, 0], expect.stringContaining('Mьll')])
  })
})
