import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript5'

/** One source file, named from `src`. */
export interface Source {
  readonly path: string
  readonly text: string
}

/** Every TypeScript source of a checkout, in the order of their paths. */
export function readSources(checkout: string): readonly Source[] {
  const root = join(checkout, 'src')
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

interface RoomSize {
  readonly room: string
  readonly files: number
  readonly lines: number
}

/** Every folder with everything below it, parents before children; files outside the rooms count as `src`. */
export function countRooms(sources: readonly Source[]): readonly RoomSize[] {
  const rooms = new Map<string, { files: number; lines: number }>()
  for (const { path, text } of sources) {
    const lines = text.split('\n').length - 1
    for (const room of toRooms(path)) {
      const size = rooms.get(room) ?? { files: 0, lines: 0 }
      rooms.set(room, { files: size.files + 1, lines: size.lines + lines })
    }
  }
  return [...rooms].sort(([a], [b]) => (a < b ? -1 : 1)).map(([room, size]) => ({ room, ...size }))
}

function toRooms(path: string): readonly string[] {
  const folders = path.split('/').slice(0, -1)
  return folders.length === 0 ? ['(src itself)'] : folders.map((_, i) => folders.slice(0, i + 1).join('/'))
}

/** How many files lie directly in a folder: the median over all folders, and the fullest one. */
export function measureFolders(sources: readonly Source[]) {
  const counts = new Map<string, number>()
  for (const { path } of sources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  const sorted = [...counts].sort(([, a], [, b]) => a - b)
  const [largest = '', most = 0] = sorted.at(-1) ?? []
  return { folders: sorted.length, median: sorted[Math.floor(sorted.length / 2)]?.[1] ?? 0, largest, most }
}

/**
 * Names that several files export, with those files. A name that both engines export once each is one name: they
 * implement the same thing.
 */
export function findHomonyms(sources: readonly Source[]): readonly { name: string; files: readonly string[] }[] {
  const exporters = new Map<string, string[]>()
  for (const source of sources) {
    for (const name of new Set(findExports(source))) {
      exporters.set(name, [...(exporters.get(name) ?? []), source.path])
    }
  }
  return [...exporters]
    .filter(([, files]) => files.length > 1 && !areTwins(files))
    .map(([name, files]) => ({ name, files }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

function areTwins(files: readonly string[]): boolean {
  const isPostgres = (file: string) => /^store\/(?:schema\/)?postgres\//.test(file)
  const isSqlite = (file: string) => /^store\/(?:sqlite|schema)\//.test(file) && !isPostgres(file)
  return files.length === 2 && files.some(isPostgres) && files.some(isSqlite)
}

/** Names that a file declares and exports. */
function findExports({ path, text }: Source): readonly string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  return file.statements.flatMap((statement): string[] => {
    if (!ts.canHaveModifiers(statement)) return []
    const isExported = ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    if (!isExported) return []
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []))
    }
    const isNamed =
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement)
    return isNamed && statement.name !== undefined ? [statement.name.text] : []
  })
}

/** The files that contain a word as an identifier. */
export function findSpellings(sources: readonly Source[], word: string): readonly string[] {
  const pattern = new RegExp(`\\b${word}\\b`)
  return sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)
}
