/** Exit codes as in sysexits.h, so that scripts can tell the cases apart. */
export const exitCodes = {
  usage: 64,
  badData: 65,
  noInput: 66,
  unavailable: 69,
  software: 70,
  cannotCreate: 73,
  /** The same command works after `rostrum upgrade` (decision 66). */
  oldSchema: 75,
  config: 78,
  /** What shells report for a process that Ctrl-C ended. */
  stopped: 130,
} as const

/** A command cannot continue for a reason that its user can fix. Reported in one line, without a stack trace. */
export class CommandFailure extends Error {
  readonly exitCode: number
  constructor(exitCode: number, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The command line is wrong; `command` has the help that says how it should be. */
export function createUsageFailure(command: string, problem: string): CommandFailure {
  return new CommandFailure(exitCodes.usage, `${problem} See: rostrum ${command} --help`)
}
