import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { batchesQuestion } from './batches.ts'
import { besideListsQuestion } from './beside-lists.ts'
import { besidePagesQuestion } from './beside-pages.ts'
import { besideWritesQuestion } from './beside-writes.ts'
import { cursorQuestion } from './cursor.ts'
import { editListsQuestion } from './edit-lists.ts'
import { editorQuestion } from './editor.ts'
import { extremesQuestion } from './extremes.ts'
import { growthQuestion } from './growth.ts'
import { createChildren } from './harness/children.ts'
import { type Options, parseOptions, usage } from './harness/options.ts'
import type { Question } from './harness/question.ts'
import { mergeReport } from './harness/report.ts'
import { ask } from './harness/session.ts'
import { headQuestion } from './head.ts'
import { hotGetQuestion } from './hot-get.ts'
import { importQuestion } from './import.ts'
import { listsQuestion } from './lists.ts'
import { manyRecordsQuestion } from './many-records.ts'
import { memoryQuestion } from './memory.ts'
import { mixedQuestion } from './mixed.ts'
import { notModifiedQuestion } from './not-modified.ts'
import { patchQuestion } from './patch.ts'
import { peersQuestion } from './peers.ts'
import { peersPatchQuestion } from './peers-patch.ts'
import { pickersQuestion } from './pickers.ts'
import { postgresQuestion } from './postgres.ts'
import { searchQuestion } from './search.ts'
import { siteQuestion } from './site.ts'
import { slowDiskQuestion } from './slow-disk.ts'
import { startQuestion } from './start.ts'
import { streamsQuestion } from './streams.ts'
import { suggestQuestion } from './suggest.ts'
import { threadsQuestion } from './threads.ts'
import { walkQuestion } from './walk.ts'
import { workListsQuestion } from './work-lists.ts'

const questions: readonly Question[] = [
  hotGetQuestion,
  peersQuestion,
  manyRecordsQuestion,
  threadsQuestion,
  notModifiedQuestion,
  headQuestion,
  patchQuestion,
  batchesQuestion,
  slowDiskQuestion,
  mixedQuestion,
  peersPatchQuestion,
  besideWritesQuestion,
  besideListsQuestion,
  besidePagesQuestion,
  streamsQuestion,
  startQuestion,
  listsQuestion,
  workListsQuestion,
  editListsQuestion,
  searchQuestion,
  suggestQuestion,
  pickersQuestion,
  siteQuestion,
  editorQuestion,
  cursorQuestion,
  growthQuestion,
  extremesQuestion,
  walkQuestion,
  memoryQuestion,
  importQuestion,
  postgresQuestion,
]
const names = questions.map(({ name }) => name)

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1))
process.exit(await main(process.argv.slice(2)))

async function main(args: readonly string[]): Promise<number> {
  const options = parseOptions(args, names, join(import.meta.dir, 'results.md'))
  if (options === null) {
    console.error(usage(names))
    return 64
  }
  const { sections, failures } = await askAll(options)
  console.log(`\n${[...sections.values()].join('\n')}`)
  if (options.out !== null && sections.size > 0) {
    const old = existsSync(options.out) ? readFileSync(options.out, 'utf8') : ''
    writeFileSync(options.out, mergeReport(old, sections, names))
  }
  if (failures.length > 0) console.error(`Failed: ${failures.join(', ')}`)
  return failures.length === 0 ? 0 : 1
}

/** A failed question does not stop the others. */
async function askAll(options: Options) {
  const children = createChildren()
  const scratch = mkdtempSync(join(tmpdir(), 'rostrum-bench-'))
  process.on('exit', () => {
    children.killAll()
    rmSync(scratch, { recursive: true, force: true })
  })
  const sections = new Map<string, string>()
  const failures: string[] = []
  for (const question of questions.filter(({ name }) => options.names.includes(name))) {
    try {
      sections.set(question.name, await ask(question, { options, scratch, children }))
    } catch (error) {
      failures.push(question.name)
      console.error(`${question.name} failed: ${error instanceof Error ? error.message : error}`)
    }
  }
  return { sections, failures }
}
