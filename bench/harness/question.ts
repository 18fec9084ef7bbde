import type { Children } from './children.ts'
import type { Load, Sample } from './load.ts'
import type { PeerCommand, RostrumOptions, ServerProcess } from './servers.ts'

/** One thing that we want to know of the service. */
export interface Question {
  readonly name: string
  readonly asks: string
  /** Whether load and server get a core each; without, the kernel places both. */
  readonly isPinned: boolean
  /** `any` is wrk where there is one, `both` wrk for plain GETs alone; `bundled` where there are none. */
  readonly generator: 'any' | 'both' | 'bundled' | 'none'
  /** How it goes about its rounds, where that is not as all others do. */
  readonly pace?: string
  run(context: Context): Promise<readonly Row[]>
}

/** What a question may use. Servers started here are ended when the question is done. */
export interface Context {
  readonly rounds: number
  readonly roundMs: number
  readonly isQuick: boolean
  /** Scratch, on the disk that the stores are on. */
  readonly folder: string
  /** The key that every Rostrum here takes for writes. */
  readonly adminToken: string
  startRostrum(options: RostrumOptions): Promise<ServerProcess>
  /** A program of this folder that serves; it is given the arguments. */
  startBare(program: string, args: readonly string[]): Promise<ServerProcess>
  /** A server that is not ours. */
  startPeer(name: string, command: PeerCommand): Promise<ServerProcess>
  drive(load: Load): Promise<Sample>
  /** Who else is started has to be known here, so that it does not outlive us. */
  readonly children: Children
  say(progress: string): void
}

export type Unit = '×' | 'req/s' | 'writes/s' | 'µs' | 'ms' | '%' | 'KB' | 'MB' | 'changes' | 'rounds'

/** One line of the report: a value for each round; without any, the label says why. */
export interface Row {
  readonly label: string
  readonly unit: Unit
  readonly values: readonly number[]
}
