import { expect, test } from 'bun:test'
import { raiseFlag, waitForFlag } from '../../src/store/postgres/client/atomic-flag.ts'

/** Calls for an answer that has been taken already, again and again. */
const lateCalls = `
  self.onmessage = ({ data: flag }) => {
    postMessage('calling')
    for (let call = 0; call < 20; call++) {
      Atomics.notify(flag, 0)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }`

test('a late call for the answer before is not taken for the next answer', async () => {
  const flag = new Int32Array(new SharedArrayBuffer(4))
  const url = URL.createObjectURL(new Blob([lateCalls], { type: 'text/javascript' }))
  const worker = new Worker(url)
  const calling = new Promise((resolve) => worker.addEventListener('message', resolve))
  worker.postMessage(flag)
  await calling
  expect(waitForFlag(flag, 100)).toBe(false)
  raiseFlag(flag)
  expect(waitForFlag(flag, 0)).toBe(true)
  worker.terminate()
  URL.revokeObjectURL(url)
})
