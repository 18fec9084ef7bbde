import type { Children } from './children.ts'
import type { Load, Sample } from './load.ts'
import type { PeerCommand, RostrumOptions, ServerProcess } from './servers.ts'

/** One benchmark, as a question about the service. */
export interface Question {
  readonly name: string
  readonly asks: string
  /** Whether load and server get a core each; otherwise the kernel places both. */
  readonly isPinned: boolean
  /** `any` is wrk where there is one, `both` wrk for plain GETs alone; `bundled` where there are none. */
  readonly generator: 'any' | 'both' | 'bundled' | 'none'
  /** How it runs its rounds, if different from the others. */
  readonly pace?: string
  run(context: Context): Promise<readonly Row[]>
}

/** The tools of a question. Servers started here are stopped at its end. */
export interface Context {
  readonly rounds: number
  readonly roundMs: number
  readonly isQuick: boolean
  /** A scratch folder on the disk of the stores. */
  readonly folder: string
  /** The key for writes to every Rostrum here. */
  readonly adminToken: string
  startRostrum(options: RostrumOptions): Promise<ServerProcess>
  /** A server of this folder, with these arguments. */
  startBare(program: string, args: readonly string[]): Promise<ServerProcess>
  /** A third-party server. */
  startPeer(name: string, command: PeerCommand): Promise<ServerProcess>
  drive(load: Load): Promise<Sample>
  /** Registers any other process, so that it does not outlive us. */
  readonly children: Children
  say(progress: string): void
}

export type Unit = '×' | 'req/s' | 'writes/s' | 'µs' | 'ms' | '%' | 'KB' | 'MB' | 'changes' | 'rounds'

/** One line of the report, with a value per round; without values, the label says why. */
export interface Row {
  readonly label: string
  readonly unit: Unit
  readonly values: readonly number[]
}
