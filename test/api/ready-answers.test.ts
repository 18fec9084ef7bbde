import { expect, test } from 'bun:test'
import { type Ready, ReadyAnswers } from '../../src/api/item/ready-answers.ts'

const body = new TextEncoder().encode('{"id":1}')
const toReady = (): Ready => ({
  tag: '"1"',
  init: { headers: new Headers({ ETag: '"1"' }) },
  reads: 0,
  answer: null,
  answerBytes: 0,
})
const readOften = (answers: ReadyAnswers, ready: Ready, of = body) => {
  for (let read = 0; read < 100; read++) answers.answer(ready, of)
}

test('every answer has the bytes and the headers, whether it was kept or not', async () => {
  const answers = new ReadyAnswers(10_000)
  const ready = toReady()
  const given = Array.from({ length: 30 }, () => answers.answer(ready, body))
  expect(ready.answer).not.toBeNull()
  for (const answer of given) {
    expect(answer.headers.get('ETag')).toBe('"1"')
    expect(await answer.text()).toBe('{"id":1}')
  }
})

test('what is read a few times only is not kept', () => {
  const answers = new ReadyAnswers(10_000)
  const ready = toReady()
  for (let read = 0; read < 3; read++) answers.answer(ready, body)
  expect([ready.answer, answers.bytes]).toEqual([null, 0])
})

test('the oldest make room, and never is more kept than there is memory for', async () => {
  const answers = new ReadyAnswers(10_000)
  const all = Array.from({ length: 50 }, toReady)
  for (const ready of all) {
    readOften(answers, ready)
    expect(answers.bytes).toBeLessThanOrEqual(10_000)
  }
  const kept = all.map(({ answer }) => answer !== null)
  const first = kept.indexOf(true)
  expect(first).toBeGreaterThan(0)
  expect(kept).toEqual(all.map((_, i) => i >= first))
  // One that had to go comes back when it is read often again.
  const [gone = toReady()] = all
  readOften(answers, gone)
  expect(gone.answer).not.toBeNull()
  expect(await answers.answer(gone, body).text()).toBe('{"id":1}')
})

test('an answer that is larger than all that may be kept is made anew each time', async () => {
  const answers = new ReadyAnswers(10_000)
  const [small, large] = [toReady(), toReady()]
  readOften(answers, small)
  const before = answers.bytes
  readOften(answers, large, new Uint8Array(20_000))
  expect([large.answer, answers.bytes]).toEqual([null, before])
  expect(small.answer).not.toBeNull()
})

test('what is dropped takes no memory, and is made anew when it is read', async () => {
  const answers = new ReadyAnswers(10_000)
  const ready = toReady()
  readOften(answers, ready)
  answers.drop(ready)
  answers.drop(ready)
  expect([ready.answer, answers.bytes]).toEqual([null, 0])
  expect(await answers.answer(ready, body).text()).toBe('{"id":1}')
})
