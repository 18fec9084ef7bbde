import { CommandFailure, exitCodes } from '../command-failure.ts'
import { type Config, readConfig, readEnvironment } from '../config.ts'
import { httpThread } from '../thread-programs.ts'
import { createWorkers } from './workers.ts'

/** Judges the settings and begins the first HTTP thread; what else it takes is loaded while that one loads. */
export async function beginServing(flags: ReadonlyMap<string, string>, version: string): Promise<void> {
  const read = readConfig(flags, readEnvironment())
  if (!read.ok) throw new CommandFailure(exitCodes.config, `${read.problem} See: rostrum serve --help`)
  const config = toPlatform(read.config)
  const createWorker = createWorkers(httpThread)
  const { serve } = await import('./serve.ts')
  await serve({ config, version, createWorker })
}

/** Only Linux shares one port among threads evenly. */
function toPlatform(config: Config): Config {
  return process.platform === 'linux' ? config : { ...config, threads: 1 }
}
