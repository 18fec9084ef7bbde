import { expect, test } from 'bun:test'
import { toBibTex, toCitation } from '../../src/site/talk/talk-reuse.tsx'
import { createRecord } from './talk-record.ts'

const record = createRecord({
  title: 'Trees & {Graphs}: 100% \\evil_name',
  speakers: ['Ann Bell', 'Cy Dahl'],
  recorded: '2023-06-14',
})
const url = 'https://talks.example.org/video/7/a-talk'

test('a citation names speakers, title, event, day and URL', () => {
  expect(toCitation(record, url)).toBe(
    `Ann Bell, Cy Dahl: “Trees & {Graphs}: 100% \\evil_name”. Lamplight Conf 2023, 2023-06-14. ${url}`,
  )
  expect(toCitation(createRecord(), url)).toBe(`“A talk”. Lamplight Conf 2023. ${url}`)
})

test('a BibTeX entry escapes special characters of TeX', () => {
  expect(toBibTex(record, url)).toBe(
    [
      '@misc{a-talk-7,',
      '  author = {Ann Bell and Cy Dahl},',
      '  title = {{Trees \\& Graphs: 100\\% evil\\_name}},',
      '  howpublished = {Talk at Lamplight Conf 2023},',
      '  year = {2023},',
      '  month = {6},',
      `  url = {${url}},`,
      '}',
    ].join('\n'),
  )
})
