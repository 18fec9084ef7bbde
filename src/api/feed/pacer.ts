/** Lets so many pass in one go, in the order in which they came; the others wait a while. */
export interface Pacer {
  pass(): Promise<void>
}

export function createPacer(atOnce: number, whileMs: number): Pacer {
  const waiting: (() => void)[] = []
  let isOpen = true

  async function letPass(): Promise<void> {
    isOpen = false
    while (waiting.length > 0) {
      for (const go of waiting.splice(0, atOnce)) go()
      await Bun.sleep(whileMs)
    }
    isOpen = true
  }

  return {
    pass: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
        if (isOpen) void letPass()
      }),
  }
}
