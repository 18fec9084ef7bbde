import { beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { runs } from '../harness/runs.ts'
import { hostileSource, hostileTarget, hostileText } from './hostile-query.ts'
import { useService } from './service.ts'
import { createMany } from './talks.ts'

// Runner: long PostgreSQL

const service = useService()

const lists = runs(9_700)
const sources = runs(300)
const clients = 8
const maxMs = 2_000
const seed = Math.floor(Math.random() * 0x7fff_ffff)

const isTaken = (text: string) => text.trim() !== '' && !/[\0-\x08\x0b\x0c\x0e-\x1f]/.test(text)

beforeAll(async () => {
  const names = fc.sample(hostileText, { numRuns: 1_200, seed }).filter(isTaken)
  const nameOf = (index: number) => names[index % names.length]?.slice(0, 90).toWellFormed() ?? ''
  const talks = Array.from({ length: 300 }, (_, index) => ({
    category: index % 2 === 0 ? 'Hostile' : nameOf(index),
    title: nameOf(index * 3),
    speakers: [...new Set([nameOf(index * 5).trim(), 'Ada Lovelace'])],
    tags: [nameOf(index * 7)],
    description: nameOf(index * 11),
    recorded: index % 3 === 0 ? null : '2012-03-09',
    duration: index % 4 === 0 ? null : index,
  }))
  await createMany(service, talks)
}, 180_000)

type Fault = { readonly target: string; readonly fault: string }

/** Always JSON, never a fault of the server's, never longer than anybody waits. */
async function judge(target: string): Promise<Fault | null> {
  const started = performance.now()
  const answer = await fetch(`${service.server().url}${target}`)
  const body = await answer.text()
  const ms = performance.now() - started
  // Some are longer than an address may be.
  if (![200, 400, 404, 414].includes(answer.status)) return { target, fault: `${answer.status} ${body}` }
  if (ms > maxMs) return { target, fault: `${ms.toFixed(0)} ms` }
  const type = answer.headers.get('Content-Type')
  const wanted = answer.status === 200 ? 'application/json' : 'application/problem+json'
  if (type !== wanted) return { target, fault: `${answer.status} is ${type}` }
  try {
    JSON.parse(body)
    return null
  } catch {
    return { target, fault: `no JSON: ${body.slice(0, 200)}` }
  }
}

test(`no query of ${lists + sources} breaks a list`, async () => {
  const targets = [
    ...fc.sample(hostileTarget, { numRuns: lists, seed }),
    ...fc.sample(hostileSource, { numRuns: sources, seed }),
  ]
  const faults: Fault[] = []
  const work = async () => {
    for (let target = targets.pop(); target !== undefined; target = targets.pop()) {
      const fault = await judge(target)
      if (fault !== null) faults.push(fault)
    }
  }
  await Promise.all(Array.from({ length: clients }, work))
  if (faults.length > 0) {
    const shown = faults.slice(0, 10).map(({ target, fault }) => `${target.slice(0, 300)}: ${fault.slice(0, 200)}`)
    expect(`seed ${seed}, ${faults.length} faults:\n${shown.join('\n')}`).toBe('no fault')
  }
  expect((await fetch(`${service.server().url}/readyz`)).status).toBe(200)
}, 180_000)
