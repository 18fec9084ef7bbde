import { expect } from 'bun:test'
import type { Command } from '../../src/record/command.ts'
import type { Outcome } from '../../src/store/store.ts'
import { expectSameList, toGist } from './agreement.ts'
import type { Counts, Engine } from './engine.ts'
import type { Group } from './wish.ts'
import { toCommand } from './wish-command.ts'

export const startMs = Date.parse('2024-02-29T12:00:00.250Z')

/** Runs the groups on all; after each of them they agree on the outcomes, and nothing has disappeared. */
export async function play(groups: readonly Group[], engines: readonly Engine[], model: Engine) {
  const played: Outcome[] = []
  let nowMs = startMs
  for (const [turn, { stepMs, wishes }] of groups.entries()) {
    nowMs += stepMs
    const commands: Command[] = []
    const expected: Outcome[] = []
    for (const wish of wishes) {
      const command = await toCommand(wish, model)
      commands.push(command)
      expected.push(...(await model.run([command], nowMs)))
    }
    for (const engine of engines) {
      await playGroup(engine, commands, expected, nowMs)
      await expectSameList(engine, model, turn)
    }
    played.push(...expected)
  }
  return played
}

async function playGroup(
  engine: Engine,
  commands: readonly Command[],
  expected: readonly Outcome[],
  nowMs: number,
): Promise<void> {
  const before = await engine.counts()
  const outcomes = await engine.run(commands, nowMs)
  // With the commands beside them, so that a failure shows what was asked.
  expect(outcomes.map((outcome, i) => [commands[i], toGist(outcome)])).toEqual(
    expected.map((outcome, i) => [commands[i], toGist(outcome)]),
  )
  expectGrowth(before, await engine.counts())
  for (const outcome of outcomes) await expectKept(engine, outcome)
}

function expectGrowth(before: Counts, after: Counts): void {
  expect(after.records).toBeGreaterThanOrEqual(before.records)
  expect(after.versions).toBeGreaterThanOrEqual(before.versions)
  expect(after.batches).toBeGreaterThanOrEqual(before.batches)
  expect(after.categories).toBeGreaterThanOrEqual(before.categories)
}

/** What was acknowledged can be read, byte for byte. */
export async function expectKept(engine: Engine, outcome: Outcome): Promise<void> {
  if (outcome.is !== 'stored') return
  const { id, version, versionTag: mark, body } = outcome.stored
  const kept = await engine.readVersion(id, version)
  expect(kept?.versionTag).toBe(mark)
  expect(Buffer.from(kept?.body ?? [])).toEqual(Buffer.from(body))
}
