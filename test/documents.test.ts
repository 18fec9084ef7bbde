import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dir, '..')
const listMarkdown = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((file) => join(folder, String(file)))
    .filter((file) => file.endsWith('.md'))
const top = readdirSync(root).filter((file) => file.endsWith('.md'))
const pages = [...top, ...listMarkdown('docs'), 'bench/README.md']
const decisions = listMarkdown('docs/decisions').filter((file) => !file.endsWith('README.md'))
const toNumber = (decision: string) => Number(/(\d{4})-/.exec(decision)?.[1])
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const index = [...read('docs/decisions/README.md').matchAll(/^\| (\d+) \|(.*)$/gm)]
const indexed = new Map(index.map(([, number, row = '']) => [Number(number), row]))

const code = [...new Bun.Glob('{src,test,bench,scripts}/**/*.{ts,tsx}').scanSync(root)].map((file) => `/${file}`)
const styles = [...new Bun.Glob('src/**/*.css').scanSync(root)].map((file) => `/${file}`)

const isSuperseded = (page: string) => decisions.includes(page) && indexed.get(toNumber(page))?.includes('superseded')

/** What follows `//` after white space, and lines that begin with `/*` or `*`. */
const readComments = (file: string) =>
  [...read(file).matchAll(/(?:(?<=^|\s)\/\/|^\s*\/?\*).*$/gm)].map(([comment]) => comment).join('\n')

describe('The documents', () => {
  test('link to files that exist', () => {
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .map(([, target = '']) => join(dirname(page), target))
        .filter((target) => !existsSync(join(root, target)))
        .map((target) => `${page}: ${target}`),
    )
    expect(broken).toEqual([])
  })

  test('and comments name files that exist', () => {
    const texts = [
      ...pages.filter((page) => !isSuperseded(page)).map((page) => [page, read(page)] as const),
      ...[...code, ...styles].map((file) => [file, readComments(file)] as const),
    ]
    const unknown = texts.flatMap(([file, text]) =>
      [...text.matchAll(/[\w./-]*\w\.tsx?\b/g)]
        .filter(([name]) => !code.some((source) => source.endsWith(`/${name}`)))
        .map(([name]) => `${file}: ${name}`),
    )
    expect(unknown).toEqual([])
    const missing = texts.flatMap(([file, text]) =>
      [
        ...text.matchAll(
          /(?<![\w./-])(?:docs|packaging|scripts|bench)\/[\w./-]*\.(?:md|css|conf|service|timer|yaml|yml|json)\b/g,
        ),
      ]
        .filter(([name]) => !existsSync(join(root, name)))
        .map(([name]) => `${file}: ${name}`),
    )
    expect(missing).toEqual([])
  })

  test('have every folder of the sources on the map of the architecture, and no other', () => {
    const [, map = ''] = read('docs/architecture.md').split('```')
    const named = new Set([...map.matchAll(/(?<=\s)([\w-]+)\/(?=\s|$)/g)].map(([, name = '']) => name))
    const files = [...new Bun.Glob('*/**').scanSync({ cwd: join(root, 'src') })]
    const levels = files.flatMap((file) =>
      dirname(file)
        .split('/')
        .map((name, depth) => ({ name, depth })),
    )
    const rooms = new Set(levels.flatMap(({ name, depth }) => (depth < 2 ? [name] : [])))
    expect([...rooms].filter((name) => !named.has(name))).toEqual([])
    const known = new Set([...levels.map(({ name }) => name), ...readdirSync(root), ...readdirSync(join(root, 'test'))])
    expect([...named].filter((name) => !known.has(name))).toEqual([])
  })

  test('hold every decision in the index, each of at most 40 lines', () => {
    expect(decisions.map(toNumber).filter((number) => !indexed.has(number))).toEqual([])
    expect(decisions.filter((file) => read(file).trimEnd().split('\n').length > 40)).toEqual([])
  })

  test('have a current decision for each that a comment names', () => {
    const named = new Set<number>()
    for (const file of code) {
      for (const [, number] of read(file).matchAll(/\bdecision (\d+)/g)) named.add(Number(number))
    }
    expect([...named].filter((number) => indexed.get(number)?.includes('superseded') !== false)).toEqual([])
  })
})
