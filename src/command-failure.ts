/** Exit codes as in sysexits.h, so that scripts can tell the cases apart. */
export const exitCodes = {
  usage: 64,
  badData: 65,
  noInput: 66,
  unavailable: 69,
  software: 70,
  cannotCreate: 73,
  config: 78,
  /** As shells say it of what Ctrl-C ended. */
  stopped: 130,
} as const

/** A command cannot go on, for a reason that the caller can mend: said in one line, without a stack. */
export class CommandFailure extends Error {
  readonly exitCode: number
  constructor(exitCode: number, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}
