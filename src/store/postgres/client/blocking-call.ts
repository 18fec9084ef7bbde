import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { ioThread } from '../../../io-program.ts'
import { PostgresFailure } from '../failure.ts'
import type { NodeMemory } from '../primary/timeline.ts'
import { waitForFlag } from './atomic-flag.ts'
import type { IoReply, IoRequest } from './io-thread.ts'

export type IoRows = Extract<IoReply, { is: 'rows' }>

/** One question at a time: asks the thread, and stands still until it has answered. */
export function createBlockingCall(address: string, memory: NodeMemory, answerTimeoutMs: number) {
  let line: Line | null = null

  function ask(ask: IoRequest): IoRows {
    line ??= startThread(address, memory)
    const { thread, port, done } = line
    Atomics.store(done, 0, 0)
    port.postMessage(ask)
    if (!waitForFlag(done, answerTimeoutMs)) {
      // Its answer, should it come, is nobody's any more.
      thread.terminate()
      line = null
      throw new PostgresFailure('TIMEOUT', 'PostgreSQL did not answer in time', true)
    }
    const answer: IoReply = receiveMessageOnPort(port)?.message
    if (ask.is === 'end') thread.terminate()
    if (answer.is === 'rows') return answer
    const { code, message, isLost } = answer.failure
    throw new PostgresFailure(code, message, isLost)
  }

  return { ask, leave: () => line?.port.postMessage({ is: 'leave' } satisfies IoRequest) }
}

interface Line {
  readonly thread: Worker
  readonly port: MessagePort
  readonly done: Int32Array
}

function startThread(address: string, memory: NodeMemory): Line {
  const flag = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const { port1, port2 } = new MessageChannel()
  const thread = new Worker(ioThread)
  thread.unref()
  port1.unref()
  thread.postMessage({ address, port: port2, flag, memory }, [port2])
  return { thread, port: port1, done: new Int32Array(flag) }
}
