import { describe, expect, test } from 'bun:test'
import { parseForm, toBlankRecord } from '../../src/edit/form/form-values.ts'
import { toPrefilled } from '../../src/edit/new/video-address.ts'
import { renderForm } from './rendered.tsx'
import { submitForm } from './submit-form.ts'

const cases: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  [
    'https://youtu.be/abcdefghijk?t=90',
    {
      source_url: 'https://www.youtube.com/watch?v=abcdefghijk&t=90',
      thumbnail_url: 'https://i.ytimg.com/vi/abcdefghijk/hqdefault.jpg',
    },
  ],
  [' https://vimeo.com/1234 ', { source_url: 'https://vimeo.com/1234' }],
  ['https://talks.example.org/v/7', { source_url: 'https://talks.example.org/v/7' }],
  ['not an address', { source_url: 'not an address' }],
  ['', { source_url: '' }],
  [
    'https://media.example.org/2024/tides-of_the%20sea.mp4?x=1',
    { video_mp4_url: 'https://media.example.org/2024/tides-of_the%20sea.mp4?x=1', title: 'Tides of the sea' },
  ],
  ['https://media.example.org/--.webm', { video_webm_url: 'https://media.example.org/--.webm' }],
  ['https://media.example.org/%ff.OGG', { video_ogv_url: 'https://media.example.org/%ff.OGG', title: '%ff' }],
  ['https://talks.example.org/slides.pdf', { source_url: 'https://talks.example.org/slides.pdf' }],
]

describe('The form of a new talk', () => {
  for (const [address, fields] of cases) {
    test(`${JSON.stringify(address)} fills in ${Object.keys(fields).join(', ')}`, () => {
      expect(Object.fromEntries(toPrefilled(address))).toEqual(fields)
    })
  }

  test('sends prefilled values, although nobody typed them', () => {
    const blank = toBlankRecord()
    const html = renderForm(blank, { typed: toPrefilled('https://youtu.be/abcdefghijk') })
    expect(parseForm(submitForm(html), blank)).toMatchObject({
      ok: true,
      changes: { source_url: 'https://www.youtube.com/watch?v=abcdefghijk' },
    })
  })
})
