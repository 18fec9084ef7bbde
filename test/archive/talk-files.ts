import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isSameJson, type JsonObject, type JsonValue } from '../../src/record/json.ts'
import { talksFolder } from './command.ts'

/** A copy of the fixtures that a test may change. The name is the source's. */
export function copyTalks(folder: string, name = 'talks'): string {
  const copy = join(folder, name)
  cpSync(talksFolder, copy, { recursive: true })
  return copy
}

export function writeTalk(root: string, path: string, file: JsonValue): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), JSON.stringify(file))
}

export function readTalk(root: string, path: string): JsonObject {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}

/** A talk's file with some keys changed; undefined takes a key away. */
export function changeTalk(root: string, path: string, changes: { readonly [key: string]: JsonValue | undefined }) {
  writeFileSync(join(root, path), JSON.stringify({ ...readTalk(root, path), ...changes }))
}

/** Every file below a folder, by its path, with its value. */
export function readTree(root: string): { readonly [path: string]: JsonValue } {
  return Object.fromEntries(listFiles(root).map((path) => [path, readTalk(root, path)]))
}

/** The paths of files that one folder has and the other has not, or not with the same value. */
export function listDifferences(root: string, other: string): readonly string[] {
  const [tree, others] = [readTree(root), readTree(other)]
  const paths = [...new Set([...Object.keys(tree), ...Object.keys(others)])]
  return paths.filter((path) => !isSameJson(tree[path], others[path])).sort()
}

export function listFiles(root: string): readonly string[] {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => statSync(join(root, name)).isFile()).sort()
}

/** An archive of so many talks in one event, for what takes a while. */
export function writeManyTalks(root: string, count: number, description = 'Words of a talk. '.repeat(20)): void {
  writeTalk(root, 'many/category.json', { title: 'Many' })
  for (let number = 1; number <= count; number++) {
    writeTalk(root, `many/videos/talk-${String(number).padStart(5, '0')}.json`, {
      title: `Talk ${number}`,
      description,
      slug: `talk-${number}`,
      videos: [{ type: 'youtube', url: `https://www.youtube.com/watch?v=many${String(number).padStart(7, '0')}` }],
      number,
    })
  }
}
