import { expect, test } from 'bun:test'
import { createThreadPort } from '../../src/serve/port/thread-port.ts'

/** Less than the time between two looks at what waits. */
const deadlineMs = 100

/** A port to a thread that never replies. */
function openPort(loadSteps: () => number) {
  const port = createThreadPort<string, string>((failure) => failure, loadSteps, deadlineMs)
  const { port1, port2 } = new MessageChannel()
  port.attach(port1)
  const close = () => {
    port1.close()
    port2.close()
  }
  return { port, close }
}

test('a request without a reply is lost after a while', async () => {
  const { port, close } = openPort(() => 0)
  expect(await port.ask('anything')).toBe('unknown')
  close()
})

test('a request waits while the thread works on a long one of somebody else', async () => {
  let steps = 0
  const { port, close } = openPort(() => ++steps)
  const answer = port.ask('anything')
  expect(await Promise.race([answer, Bun.sleep(1_500).then(() => 'waiting')])).toBe('waiting')
  close()
})

test('a request is lost a while after the long one has made its last step', async () => {
  let steps = 0
  let isWorking = true
  const { port, close } = openPort(() => (isWorking ? ++steps : steps))
  const answer = port.ask('anything')
  await Bun.sleep(600)
  isWorking = false
  expect(await answer).toBe('unknown')
  close()
})
