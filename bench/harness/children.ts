const stopTimeoutMs = 20_000

/** The processes that we started; none of them outlives us. */
export interface Children {
  /** Tracks a child while it is running. */
  keep<C extends Bun.Subprocess>(child: C): C
  /** Kills all remaining children. */
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

/** Terminates a child, kills it after a while, and returns its exit code. */
export async function end(child: Bun.Subprocess): Promise<number> {
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
  const code = await child.exited
  clearTimeout(timer)
  return code
}
