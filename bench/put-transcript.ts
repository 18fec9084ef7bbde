import { toVtt } from '../src/record/transcript/captions.ts'
import type { Cue } from '../src/record/transcript/transcript.ts'
import { createTranscripts } from './generated/transcripts.ts'

// The longest time that a GET and a PATCH of other records wait while a transcript of so many words is stored:
// sh bin/bun --dev bench/put-transcript.ts http://127.0.0.1:8000 KEY 30000

const [url = '', key = '', words = '30000'] = process.argv.slice(2)
const rounds = 10
/** Until the writer has indexed it. */
const restMs = 2_500
const authorized = { Authorization: `Token ${key}` }

const file = toVtt(makeCues(Number(words)))
const [said, read, patched] = [await create('Said'), await create('Read'), await create('Patched')]
const [puts, gets, patches]: [number[], number[], number[]] = [[], [], []]
// The first round is discarded: its code is not compiled yet.
for (let round = 0; round <= rounds; round++) {
  let isDone = false
  const beside = [
    repeat(
      () => isDone,
      gets,
      () => ask('GET', `video/${read}`),
    ),
    repeat(
      () => isDone,
      patches,
      (i) => ask('PATCH', `video/${patched}`, 'application/json', `{"summary": "${round} ${i}"}`),
    ),
  ]
  const startedMs = performance.now()
  await ask(
    'PUT',
    `video/${said}/transcripts/en`,
    'text/vtt',
    file.replace('WEBVTT\n\n', `WEBVTT\n\n00:00.000 --> 00:00.001\n${round}\n\n`),
  )
  const putMs = performance.now() - startedMs
  await Bun.sleep(restMs)
  isDone = true
  const longest = await Promise.all(beside)
  if (round === 0) continue
  puts.push(putMs)
  for (const note of longest) note()
}
console.log(`${(file.length / 1e6).toFixed(1)} MB, ${words} words; median and longest of ${rounds} rounds, ms`)
for (const [name, values] of Object.entries({ PUT: puts, 'longest GET': gets, 'longest PATCH': patches })) {
  const sorted = values.toSorted((one, other) => one - other)
  console.log(`${name}: ${sorted[rounds / 2]?.toFixed(0)}, ${sorted.at(-1)?.toFixed(0)}`)
}

function makeCues(wanted: number): Cue[] {
  const make = createTranscripts(7)
  const cues: Cue[] = []
  for (let number = 0, said = 0; said < wanted; number++) {
    const after = cues.at(-1)?.end ?? 1
    for (const cue of make(number).cues) {
      if (said >= wanted) break
      cues.push({ ...cue, start: after + cues.length, end: after + cues.length + 1 })
      said += cue.text.split(' ').length
    }
  }
  return cues
}

async function create(title: string): Promise<number> {
  const answer = await ask('POST', 'video', 'application/json', JSON.stringify({ title, category: 'Measured' }))
  return JSON.parse(answer).id
}

async function ask(method: string, path: string, type?: string, body?: string): Promise<string> {
  const headers = type === undefined ? authorized : { ...authorized, 'Content-Type': type }
  const answer = await fetch(`${url}/api/v2/${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.text()
}

/** One after the other, each a little after the last. Notes the longest when it is told to. */
async function repeat(isDone: () => boolean, into: number[], once: (i: number) => Promise<unknown>) {
  let longest = 0
  for (let i = 0; !isDone(); i++) {
    const startedMs = performance.now()
    await once(i)
    longest = Math.max(longest, performance.now() - startedMs)
    await Bun.sleep(2)
  }
  return () => into.push(longest)
}
