/** Numbers from 1 for texts, in order of arrival; 0 for the empty text. */
export interface Numbering {
  ensureNumber(text: string): number
  /** Undefined if no record ever had the text. */
  findNumber(text: string): number | undefined
  toText(number: number): string
  end(): number
  clear(): void
}

export function createNumbering(): Numbering {
  const texts = ['']
  const numbers = new Map([['', 0]])

  return {
    ensureNumber(text) {
      const known = numbers.get(text)
      if (known !== undefined) return known
      numbers.set(text, texts.length)
      return texts.push(text) - 1
    },
    clear() {
      texts.length = 1
      numbers.clear()
      numbers.set('', 0)
    },
    findNumber: (text) => numbers.get(text),
    toText: (number) => texts[number] ?? '',
    end: () => texts.length,
  }
}

/** The order of both engines: by code points, where UTF-16 puts surrogates before U+E000 and above. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const [first, second] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (first !== second) return toRank(first) - toRank(second)
  }
  return a.length - b.length
}

function toRank(unit: number): number {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}

/**
 * `YYYY-MM-DD` as days since 1970-01-01. Counts years from March, so that leap days come last; the load
 * would spend a tenth of its time in `Date.parse`.
 */
export function toDayNumber(day: string): number {
  const month = readDigits(day, 5, 7)
  const year = readDigits(day, 0, 4) - (month < 3 ? 1 : 0)
  const dayOfYear = Math.floor((153 * (month < 3 ? month + 9 : month - 3) + 2) / 5) + readDigits(day, 8, 10) - 1
  const leapDays = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400)
  return 365 * year + leapDays + dayOfYear - daysBefore1970
}

/** `YYYY-MM-DDThh:mm:ss.mmm` as milliseconds since 1970. */
export function toTimestampMs(timestamp: string): number {
  const minutes = 60 * readDigits(timestamp, 11, 13) + readDigits(timestamp, 14, 16)
  const seconds = 60 * (24 * 60 * toDayNumber(timestamp) + minutes) + readDigits(timestamp, 17, 19)
  return 1000 * seconds + readDigits(timestamp, 20, 23)
}

/** From 0000-03-01 on. */
const daysBefore1970 = 719_468
const zero = '0'.charCodeAt(0)

/** Digits as a number. */
export function readDigits(digits: string, from: number, to: number): number {
  let number = 0
  for (let i = from; i < to; i++) number = 10 * number + digits.charCodeAt(i) - zero
  return number
}
