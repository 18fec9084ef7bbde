import type { Incoming } from './incoming.ts'
import { maxPartsAhead, type ReadNotice, type ReadOrder } from './read-ahead.ts'
import { recognise } from './recognise.ts'

declare const self: Worker

const partSize = 128

let partsAhead = 0
let wake: (() => void) | null = null

self.onmessage = ({ data: order }: MessageEvent<ReadOrder>) => {
  if (order.is === 'begin') return void read(order.given, order.dumpStart).catch(fail)
  partsAhead--
  wake?.()
}

async function read(given: string, dumpStart: string): Promise<void> {
  const recognised = recognise(given, dumpStart)
  if (!('source' in recognised)) throw new Error(`${given} is no longer what it was a moment ago.`)
  let part: Incoming[] = []
  for await (const each of recognised.source.read()) {
    part.push(each)
    if (part.length < partSize) continue
    await send(part)
    part = []
  }
  await send(part)
  notify({ is: 'end' })
}

/** Waits while enough is ahead, so that a large source is never all in memory. */
async function send(part: readonly Incoming[]): Promise<void> {
  while (partsAhead >= maxPartsAhead) {
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  }
  partsAhead++
  notify({ is: 'read', part })
}

function fail(error: unknown): void {
  notify({ is: 'failed', problem: error instanceof Error ? (error.stack ?? error.message) : String(error) })
}

function notify(notice: ReadNotice): void {
  self.postMessage(notice)
}
