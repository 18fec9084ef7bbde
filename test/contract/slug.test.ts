import { describe, expect, test } from 'bun:test'
import { fail, parseFields, useService } from './service.ts'

// Runner: long PostgreSQL

const service = useService()

const tenLetters = 'abcdefghij'
const fourWords = Array(4).fill(tenLetters).join(' ')

const slugs = [
  ['Hello World', 'hello-world'],
  ['PyCon 2012: The Keynote', 'pycon-2012-the-keynote'],
  ['  Many   spaces\tand\nlines ', 'many-spaces-and-lines'],
  ['Über die Größe', 'uber-die-grosse'],
  ['Café déjà vu', 'cafe-deja-vu'],
  ['Cafe\u0301 decomposed', 'cafe-decomposed'],
  ['JavaScriptCore and WebGL', 'javascriptcore-and-webgl'],
  ["What's new", 'whats-new'],
  ['What’s newer', 'whats-newer'],
  ['snake_case and kebab-case', 'snake-case-and-kebab-case'],
  ['Input/Output, or: 3.14', 'input-output-or-3-14'],
  ['C++ & Rust!', 'c-rust'],
  ['-- dashes -- around --', 'dashes-around'],
  ['42', '42'],
  ['🎉 Party 🎉 time', 'party-time'],
  ['❤️ for Python', 'for-python'],
  ['⭐☕✈️ travels', 'travels'],
  ['🇩🇪 in German', 'in-german'],
  ['👩‍💻 at work', 'at-work'],
  ["Rock 'n' roll", 'rock-n-roll'],
  ['Привет мир', 'privet-mir'],
  ['Ａｌｌ ｗｉｄｅ', 'all-wide'],
  [`${fourWords} sixsix`, `${fourWords.replaceAll(' ', '-')}-sixsix`],
  [`${fourWords} seven77`, fourWords.replaceAll(' ', '-')],
  ['one-two-three-four-five-six-seven-eight-nine-ten-eleven', 'one-two-three-four-five-six-seven-eight-nine-ten'],
] as const

const otherScripts = ['日本語のタイトル', 'Ελληνικά', 'مرحبا', 'שלום', '한국어', 'हिन्दी']

describe('The slug', () => {
  for (const [title, slug] of slugs) {
    test(`of ${JSON.stringify(title)} is ${slug}`, async () => {
      expect((await service.create({ title })).slug).toBe(slug)
    })
  }

  for (const title of otherScripts) {
    test(`of ${title} is transliterated`, async () => {
      const { slug } = await service.create({ title })
      expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(slug).not.toMatch(/^video/)
      expect(String(slug).length).toBeLessThanOrEqual(50)
    })
  }

  test('of a title without a word is video, then video-2 and video-3', async () => {
    const given: unknown[] = []
    for (const title of ['!!!', '🎉🎉', '—']) given.push((await service.create({ title })).slug)
    expect(given).toEqual(['video', 'video-2', 'video-3'])
  })

  test('of one long word has at most 50 characters', async () => {
    const { slug } = await service.create({ title: 'x'.repeat(255) })
    expect(slug).toMatch(/^[a-z0-9]{1,50}$/)
  })
})

describe('A taken slug', () => {
  test('gets -2, then -3', async () => {
    const given: unknown[] = []
    for (const title of ['Taken', 'taken!', 'TAKEN']) given.push((await service.create({ title })).slug)
    expect(given).toEqual(['taken', 'taken-2', 'taken-3'])
  })

  test('steps over a suffix that is taken too', async () => {
    const given: unknown[] = []
    for (const title of ['Step 2', 'Step', 'Step']) given.push((await service.create({ title })).slug)
    expect(given).toEqual(['step-2', 'step', 'step-3'])
  })

  test('takes the first free suffix though a later one is taken', async () => {
    const given: unknown[] = []
    for (const title of ['Gap', 'Gap 4', 'Gap', 'Gap', 'Gap']) given.push((await service.create({ title })).slug)
    expect(given).toEqual(['gap', 'gap-4', 'gap-2', 'gap-3', 'gap-5'])
  })

  test('may go past 50 characters by its suffix', async () => {
    const title = `${Array(4).fill('klmnopqrst').join(' ')} sixsix`
    const first = await service.create({ title })
    const second = await service.create({ title })
    expect(second.slug).toBe(`${first.slug}-2`)
    expect(String(second.slug)).toHaveLength(52)
  })

  test('is taken by a draft as well', async () => {
    const draft = await service.create({ title: 'Unseen', state: 2 })
    const live = await service.create({ title: 'Unseen' })
    expect([draft.slug, live.slug]).toEqual(['unseen', 'unseen-2'])
  })
})

describe('A slug that was given', () => {
  test('stays when the title changes by PATCH', async () => {
    const { id, slug } = await service.create({ title: 'First name' })
    const answer = await service.patch(id, { title: 'Second name' })
    expect(parseFields(answer).slug).toBe(slug)
  })

  test('stays when the title changes by PUT', async () => {
    const { id, slug, category } = await service.create({ title: 'Third name' })
    const json = { category, title: 'Fourth name' }
    const answer = await service.call({ method: 'PUT', path: `/api/v2/video/${id}`, as: 'admin', json })
    expect(answer.status === 200 ? parseFields(answer).slug : fail(answer.body)).toBe(slug)
  })
})
