import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { cutExcerpt } from '../../src/edit/diff.tsx'
import type { VideoRecord } from '../../src/record/record.ts'
import { diffWords } from '../../src/record/text/diff.ts'
import { runs } from '../harness/runs.ts'
import { parsePage } from '../site/page-tree.ts'
import { createRecord } from '../site/talk-record.ts'
import { anyRecord } from './any-record.ts'
import { renderConflict, renderDiff } from './rendered.tsx'

const diff = (before: Partial<VideoRecord>, after: Partial<VideoRecord>) =>
  parsePage(renderDiff(createRecord(before), createRecord(after)))

describe('The difference between two versions', () => {
  test('shows the words that changed, also to those who do not see the marks', () => {
    const page = diff({ title: 'Tides of the sea' }, { title: 'Tides of the moon' })
    expect(page.one('dt').text).toBe('Title')
    expect(page.one('del').text).toBe('removed: sea (end of change)')
    expect(page.one('ins').text).toBe('added: moon (end of change)')
  })

  test('marks what changed within an address', () => {
    const page = diff({ source_url: 'http://example.org/tides' }, { source_url: 'https://example.org/tides' })
    expect(page.one('ins').text).toBe('added: https (end of change)')
    expect(page.one('dd').text).toEndWith('://example.org/tides')
  })

  test('shows what was added to a list, removed from it and moved in it', () => {
    const page = diff({ speakers: ['Ada', 'Ben', 'Cy', 'Dee'] }, { speakers: ['Dee', 'Ada', 'Cy', 'Eve'] })
    expect(page.all('li').map(({ text }) => text)).toEqual(['↕moved: Dee', 'Ada', '−removed: Ben', 'Cy', '+added: Eve'])
  })

  const values: readonly (readonly [Partial<VideoRecord>, Partial<VideoRecord>, string, string])[] = [
    [{ duration: null }, { duration: 2347 }, 'not set', '39:07'],
    [{ state: 1 }, { state: 2 }, 'live', 'draft'],
    [{ video_mp4_download_only: false }, { video_mp4_download_only: true }, 'No', 'Yes'],
    [{ video_mp4_length: 1 }, { video_mp4_length: 412_630_117 }, '1 bytes (1)', '413 MB (412,630,117)'],
    [{ video_mp4_url: null }, { video_mp4_url: '' }, 'not set', 'empty'],
    [{ recorded: '2024-05-31' }, { recorded: null }, '2024-05-31', 'not set'],
    [{ summary: '' }, { summary: 'New' }, 'empty', 'New'],
  ]
  for (const [before, after, old, now] of values) {
    test(`shows ${JSON.stringify(before)} as “${old}”, and ${JSON.stringify(after)} as “${now}”`, () => {
      const page = diff(before, after)
      expect(page.one('del').text).toBe(`removed: ${old} (end of change)`)
      expect(page.one('ins').text).toBe(`added: ${now} (end of change)`)
    })
  }

  test('says so where only line ends differ, and where nothing does', () => {
    expect(diff({ summary: 'a\r\nb' }, { summary: 'a\nb' }).one('dd').text).toBe('Only the line endings differ.')
    expect(diff({}, {}).text).toBe('Nothing has changed.')
  })

  test('makes spaces and line breaks visible that were added or removed', () => {
    expect(diff({ title: 'a b' }, { title: 'a  b' }).one('ins').text).toContain('·')
    expect(diff({ summary: 'a\nb' }, { summary: 'a\n\nb' }).one('ins').text).toContain('↵')
  })

  test('gives markup in a text as text', () => {
    const page = diff({ summary: 'a' }, { summary: '<img src=x onerror=alert(1)> </ins><script>' })
    expect(page.all('img').length + page.all('script').length).toBe(0)
  })

  test('has one entry per field that differs, for any two records', () => {
    const property = fc.property(anyRecord, anyRecord, (before, after) => {
      const page = parsePage(renderDiff(before, after))
      const names = Object.keys(before).filter(
        (name) => JSON.stringify(Object(before)[name]) !== JSON.stringify(Object(after)[name]),
      )
      expect(page.all('dt').length).toBe(names.length)
    })
    fc.assert(property, { numRuns: runs(500) })
  })
})

test('an excerpt leaves out long unchanged parts and counts their characters', () => {
  const long = 'tide 💡 '.repeat(500)
  const parts = cutExcerpt(diffWords(`${long}old ${long}`, `${long}new ${long}`))
  expect(parts.map(({ is }) => is)).toEqual(['skipped', 'same', 'removed', 'added', 'same', 'skipped'])
  const characters = parts.reduce((sum, part) => {
    if (part.is === 'added') return sum
    return sum + (part.is === 'skipped' ? part.characters : [...part.text].length)
  }, 0)
  expect(characters).toBe([...`${long}old ${long}`].length)
  expect(cutExcerpt(diffWords('a b c', 'a x c'))).toEqual(diffWords('a b c', 'a x c'))
})

const unlike = [
  ['words', (at: number) => `word${(at * 7919) % 4999} `],
  ['two words', (at: number) => ((at * at) % 7 < 3 ? 'ebb ' : 'flow ')],
  ['signs', (at: number) => '漢字かなabc,.;: \n'.charAt((at * at * 31) % 16)],
  ['lines', (at: number) => `${(at * at) % 13}\n`],
] as const

test.each(unlike)('four texts of 100,000 characters of other %s are compared within bounds', (_, toPart) => {
  const toText = (seed: number) => {
    const parts = Array.from({ length: 100_000 }, (_, at) => toPart(at + seed * 1_009))
    return `.${parts.join('').slice(0, 99_998)}.`
  }
  const four = (seed: number) => ({
    summary: toText(seed),
    description: toText(seed + 1),
    quality_notes: toText(seed + 2),
    copyright_text: toText(seed + 3),
  })
  const [was, theirs, yours] = [four(1), four(5), four(9)]
  const before = createRecord({ ...was, whiteboard: 'one two three' })
  const after = createRecord({ ...theirs, whiteboard: 'one four three' })
  const started = process.cpuUsage().user
  const html = renderDiff(before, after)
  // Nothing is left out, and markup does not outweigh the texts.
  expect(html.length).toBeLessThan(3 * 800_000)
  expect(parsePage(html.slice(html.lastIndexOf('<dd>'))).text).toContain('one removed: two')
  expect(renderConflict({ base: before, theirs: after, yours }).length).toBeLessThan(3 * 2_800_000)
  expect((process.cpuUsage().user - started) / 1000).toBeLessThan(10_000)
})
