let format: Intl.NumberFormat | null = null

/** `21715` -> `21,715`. */
export function toNumber(value: number): string {
  // Created at the first use: it takes 20 ms, which every start would wait for.
  format ??= new Intl.NumberFormat('en')
  return format.format(value)
}

/** `1 talk`, `21,715 talks`. */
export function toCounted(count: number, noun: string, plural = `${noun}s`): string {
  return `${toNumber(count)} ${count === 1 ? noun : plural}`
}
