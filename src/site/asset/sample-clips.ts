import { readFileSync } from 'node:fs'
import { Refused } from '../../http/problem.ts'
import { type ByteFile, toFileResponse } from '../../http/range.ts'
import type { HttpCall } from '../../http/route.ts'
import duskMp4 from './sample/dusk.mp4' with { type: 'file' }
import duskWebm from './sample/dusk.webm' with { type: 'file' }
import duskWebp from './sample/dusk.webp' with { type: 'file' }
import forestMp4 from './sample/forest.mp4' with { type: 'file' }
import forestWebm from './sample/forest.webm' with { type: 'file' }
import forestWebp from './sample/forest.webp' with { type: 'file' }

/** The folder below the base URL. Records of the sample store these URLs, so path and names must not change. */
export const clipFolder = '/assets/sample'

/** Paths by name; in the executable these are files that scripts/build.ts has embedded. */
const paths: ReadonlyMap<string, string> = new Map([
  ['dusk.mp4', duskMp4],
  ['dusk.webm', duskWebm],
  ['dusk.webp', duskWebp],
  ['forest.mp4', forestMp4],
  ['forest.webm', forestWebm],
  ['forest.webp', forestWebp],
])

const types = { mp4: 'video/mp4', webm: 'video/webm', webp: 'image/webp' } as const

/** A clip of the sample, or its picture; null if there is none with this name. */
export function findClip(name: string): ByteFile | null {
  const path = paths.get(name)
  if (path === undefined) return null
  const bytes = new Uint8Array(readFileSync(path))
  return { type: toType(name), etag: `"${Bun.hash(bytes).toString(16)}"`, bytes }
}

/** The handler of `/assets/sample/:file`. Each thread reads a file once. */
export function createReadClip(): (call: HttpCall<'file'>) => Response {
  const files = new Map<string, ByteFile>()
  return (call) => {
    const { file: name } = call.params
    const file = files.get(name) ?? findClip(name)
    if (file === null) throw new Refused({ code: 'no_such_path' })
    files.set(name, file)
    return toFileResponse(call, file)
  }
}

function toType(name: string): string {
  if (name.endsWith('.mp4')) return types.mp4
  return name.endsWith('.webm') ? types.webm : types.webp
}
