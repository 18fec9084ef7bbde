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
