import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Row } from './question.ts'

const pageBytes = 4096
const times = 50

/** The time of one fsync of a page here. Near zero, the folder is in memory and write figures are meaningless. */
export function measureDisk(folder: string): Row {
  const path = join(folder, 'disk-probe')
  const file = openSync(path, 'w')
  const page = Buffer.alloc(pageBytes, 'x')
  const values = Array.from({ length: times }, () => {
    const startMs = performance.now()
    writeSync(file, page)
    fdatasyncSync(file)
    return performance.now() - startMs
  })
  closeSync(file)
  rmSync(path)
  return { label: 'one page made durable on the same disk, nothing else running', unit: 'ms', values }
}
