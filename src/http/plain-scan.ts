import { negotiate, type Representation } from './negotiate.ts'

/**
 * Which representation a plain GET gets: one that brings no token and no condition, to the host that was good last
 * time. Null where it takes more to decide. Nearly all traffic passes here, so it makes no object at all.
 */
export type PlainScan = (headers: Headers, goodHost: string) => Representation | null

export function createPlainScan(maxHeadBytes: number): PlainScan {
  let bytes = 0
  let host: string | undefined
  let accept: string | undefined
  let isPlain = true

  function look(value: string, name: string): void {
    bytes += name.length + value.length + 4
    switch (name) {
      case 'host':
        host = value
        break
      case 'accept':
        accept = value
        break
      case 'authorization':
      case 'if-none-match':
      case 'if-modified-since':
        isPlain = false
    }
  }

  return (headers, goodHost) => {
    bytes = 0
    host = undefined
    accept = undefined
    isPlain = true
    headers.forEach(look)
    return isPlain && host === goodHost && bytes <= maxHeadBytes ? negotiate(accept) : null
  }
}
