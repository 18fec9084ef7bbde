const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
/** `[` and `{` differ in this bit alone, and so do `]` and `}`. */
const kindBit = 0x20
const opening = 0x7b
const closing = 0x7d
/** The distance from an opening bracket to its closing one. */
const toClosing = 2
/** Deeper than any JSON that we accept. Deeper brackets are only counted, since writes beyond the end are ignored. */
const maxKinds = 64

/** Finds the end of a JSON value that comes in chunks. Only its brackets are checked. */
export interface ValueEnd {
  /** Called before each value, with its first byte. */
  begin(first: number): void
  /** The index after the value; -1 if it continues in the next chunk. */
  find(chunk: Uint8Array, from: number): number
}

/** `refuse` is called for a closing bracket of the wrong kind. */
export function createValueEnd(refuse: (wanted: number, found: number, index: number) => never): ValueEnd {
  const closings = new Uint8Array(maxKinds + 1)
  let depth = 0
  let isWord = false
  let isString = false
  /** Whether a backslash at the end of the last chunk escapes the first byte of this one. */
  let isEscaped = false

  /** The index after the string, or the end of the chunk if the string continues. */
  function skipString(chunk: Uint8Array, start: number): number {
    let from = start + Number(isEscaped)
    for (;;) {
      const found = chunk.indexOf(quote, from)
      const end = found < 0 ? chunk.length : found
      isEscaped = countBackslashes(chunk, from, end) % 2 === 1
      if (found < 0) return end
      from = end + 1
      isString = isEscaped
      if (!isString) return from
    }
  }

  function takeMark(byte: number, index: number): void {
    if (byte === quote) {
      isString = true
    } else if ((byte | kindBit) === opening) {
      depth++
      closings[depth] = byte + toClosing
    } else {
      const wanted = closings[depth] ?? byte
      if (wanted !== byte) refuse(wanted, byte, index)
      depth--
    }
  }

  return {
    begin(first) {
      depth = 0
      isWord = !isMark(first)
      isString = false
      isEscaped = false
    },
    find(chunk, from) {
      if (isWord) return findWordEnd(chunk, from)
      let at = from
      while (at < chunk.length) {
        if (isString) {
          at = skipString(chunk, at)
        } else {
          at = findMark(chunk, at)
          const byte = chunk[at]
          if (byte === undefined) return -1
          takeMark(byte, at++)
        }
        if (depth === 0 && !isString) return at
      }
      return -1
    },
  }
}

function isMark(byte: number): boolean {
  const kind = byte | kindBit
  return byte === quote || kind === opening || kind === closing
}

/** The next quote or bracket, or the chunk's end. */
function findMark(chunk: Uint8Array, from: number): number {
  let at = from
  while (at < chunk.length && !isMark(chunk[at] ?? 0)) at++
  return at
}

/** Numbers, `true` and the like end where something else begins. */
function findWordEnd(chunk: Uint8Array, from: number): number {
  for (let at = from; at < chunk.length; at++) {
    const byte = chunk[at] ?? 0
    if (byte === comma || isSpace(byte) || isMark(byte)) return at
  }
  return -1
}

/** Backslashes directly before an index. */
function countBackslashes(chunk: Uint8Array, from: number, end: number): number {
  let at = end
  while (at > from && chunk[at - 1] === backslash) at--
  return end - at
}

/** Whether JSON takes a byte for space. */
export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}
