/** Decimal digits without leading zeros, 1 to 2^53−1; null for anything else. A loop, because every GET runs it. */
export function parseRecordId(text: string): number | null {
  if (text.length === 0 || text.length > 16 || text.charCodeAt(0) === 0x30) return null
  let id = 0
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 0x30
    if (digit < 0 || digit > 9) return null
    id = id * 10 + digit
  }
  return id <= Number.MAX_SAFE_INTEGER ? id : null
}
