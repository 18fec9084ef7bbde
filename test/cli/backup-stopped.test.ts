import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { importInto, startRostrum } from '../archive/command.ts'
import { writeManyTalks } from '../archive/talk-files.ts'
import { withFolder } from '../faults/scratch.ts'
import { runRostrum } from './store-command.ts'

const timeoutMs = 20_000

/** A copy has begun, and has not got its name. */
async function waitForDraft(folder: string): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!readdirSync(folder).some((name) => name.startsWith('copy.db.'))) {
    if (performance.now() > deadline) throw new Error('No copy was begun')
    await Bun.sleep(1)
  }
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  'a backup that %s ends leaves nothing, and the next one is complete',
  (signal) =>
    withFolder(async (folder) => {
      const [db, talks, copy] = [join(folder, 'a.db'), join(folder, 'talks'), join(folder, 'copy.db')]
      writeManyTalks(talks, 2_000, 'Words of a talk. '.repeat(200))
      expect((await importInto(db, talks)).exitCode).toBe(0)
      const running = startRostrum(['backup', copy, '--db', db])
      await waitForDraft(folder)
      running.kill(signal)
      const { exitCode, stderr } = await running.ended
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 130 })
      expect(stderr).toContain('Nothing was written')
      expect(readdirSync(folder).filter((name) => name.startsWith('copy'))).toEqual([])
      expect(await runRostrum('backup', copy, '--db', db)).toMatchObject({ exitCode: 0 })
      expect(readdirSync(folder).filter((name) => name.startsWith('copy'))).toEqual(['copy.db'])
    }),
  60_000,
)
