import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Children } from './children.ts'
import { type Placement, toPlacement } from './cores.ts'
import { createGenerator, type GeneratorName } from './generator.ts'
import { toMachineText } from './machine.ts'
import type { Options } from './options.ts'
import type { Question } from './question.ts'
import { toSection } from './report.ts'
import { createServers } from './servers.ts'

interface Session {
  readonly options: Options
  readonly scratch: string
  readonly children: Children
}

/** Runs one question and returns its section of the report. */
export async function ask(question: Question, { options, scratch, children }: Session): Promise<string> {
  const say = (text: string) => console.error(`${question.name}: ${text}`)
  const name = question.generator === 'any' || question.generator === 'both' ? options.generator : 'bundled'
  const placement = toPlacement(question.isPinned)
  const circumstances = toCircumstances(question, options, name, placement)
  say(circumstances)
  const folder = join(scratch, question.name)
  mkdirSync(folder)
  const adminToken = crypto.randomUUID()
  const servers = createServers({ folder, adminToken, pin: placement.server, children })
  const generator = createGenerator({ name, pin: placement.generator, children })
  try {
    const { drive } = generator
    const rows = await question.run({ ...options, ...servers, folder, adminToken, drive, children, say })
    await servers.stopAll()
    return toSection(question, rows, circumstances)
  } catch (error) {
    // A dead server is the cause of other failures, so it is reported first.
    servers.checkAll()
    throw error
  } finally {
    generator.end()
    // Stops the servers after a failure; further errors are not reported.
    await servers.stopAll().catch(() => undefined)
    rmSync(folder, { recursive: true, force: true })
  }
}

function toCircumstances(question: Question, options: Options, name: GeneratorName, { text }: Placement): string {
  const isBoth = question.generator === 'both' && name === 'wrk'
  const generator = isBoth ? 'reads from wrk, the rest from the bundled generator' : generatorTexts[name]
  const pace = question.pace ?? `${options.rounds} rounds of ${options.roundMs / 1000} s, interleaved`
  const how = question.generator === 'none' ? `interleaved; ${text}` : `${pace}; ${generator}; ${text}`
  return `${toMachineText(Date.now())}; ${options.isQuick ? 'quick: figures mean nothing; ' : ''}${how}`
}

const generatorTexts = { wrk: 'load from wrk', bundled: 'load from the bundled generator' }
