import { join, resolve } from 'node:path'

const launcher = join(resolve(import.meta.dir, '../..'), 'bin/rostrum')

/** What tests start as `rostrum`: the checkout's, or the executable that test/run.ts has built and named. */
export const program = process.env.ROSTRUM_TEST_PROGRAM ?? launcher
