const nice = Bun.which('nice')
const chrt = Bun.which('chrt')

/** Stands in front of a command that must not hold up others: it interrupts nobody when it wakes, and waits when others want. */
export const givingWay: readonly string[] = [
  ...(nice === null ? [] : [nice, '-n', '10']),
  ...(chrt === null ? [] : [chrt, '--batch', '0']),
]
