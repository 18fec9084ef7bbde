const stopTimeoutMs = 20_000

/** The processes that we started: none of them outlives us. */
export interface Children {
  /** Remembers a child for as long as it lives. */
  keep<C extends Bun.Subprocess>(child: C): C
  /** Makes all that are left end at once. */
  killAll(): void
}

export function createChildren(): Children {
  const alive = new Set<Bun.Subprocess>()
  return {
    keep(child) {
      alive.add(child)
      void child.exited.then(() => alive.delete(child))
      return child
    },
    killAll() {
      for (const child of alive) child.kill('SIGKILL')
    },
  }
}

/** Asks a child to end, and after a while makes it; gives its exit code. */
export async function end(child: Bun.Subprocess): Promise<number> {
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
  const code = await child.exited
  clearTimeout(timer)
  return code
}
