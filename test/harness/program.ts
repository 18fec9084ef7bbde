import { join, resolve } from 'node:path'

const launcher = join(resolve(import.meta.dir, '../..'), 'bin/rostrum')

/** The `rostrum` under test: the checkout's, or the executable that test/run.ts has built. */
export const program = process.env.ROSTRUM_TEST_PROGRAM ?? launcher
