/** What starts this very program once more: Bun and the file that it runs, or the executable that has both inside. */
export function toOwnCommand(): string[] {
  return isExecutable(Bun.main) ? [process.execPath] : [process.execPath, ...process.execArgv, Bun.main]
}

/** Bun keeps what is inside an executable under names that no disk has. */
export function isExecutable(main: string): boolean {
  return main.startsWith('/$bunfs/') || main.includes('~BUN')
}
