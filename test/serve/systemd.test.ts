import { expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { withFolder } from '../faults/scratch.ts'
import { startServer } from '../harness/server.ts'
import { until } from '../harness/until.ts'

test('systemd hears that the server is ready, alive and stopping', () =>
  withFolder(async (folder) => {
    const [bin, heard] = [`${folder}/bin`, `${folder}/heard`]
    mkdirSync(bin)
    writeFileSync(`${bin}/systemd-notify`, `#!/bin/sh\necho "$1" >> ${heard}\n`)
    chmodSync(`${bin}/systemd-notify`, 0o755)
    const PATH = `${bin}:${process.env.PATH}`
    const env = { PATH, NOTIFY_SOCKET: '/run/systemd/notify', WATCHDOG_USEC: '200000' }
    const server = await startServer({ db: `${folder}/a.db`, args: ['--threads', '1'], env })
    const read = () => (existsSync(heard) ? readFileSync(heard, 'utf8').trim().split('\n') : [])
    await until('the watchdog hears of it', () => read().filter((line) => line === 'WATCHDOG=1').length >= 2)
    expect(read()[0]).toBe('--ready')
    expect(await server.stop()).toBe(0)
    expect(read().includes('STOPPING=1')).toBe(true)
  }))

test('without systemd nothing is run', () =>
  withFolder(async (folder) => {
    const bin = `${folder}/bin`
    mkdirSync(bin)
    writeFileSync(`${bin}/systemd-notify`, `#!/bin/sh\ntouch ${folder}/heard\n`)
    chmodSync(`${bin}/systemd-notify`, 0o755)
    const env = { PATH: `${bin}:${process.env.PATH}` }
    const server = await startServer({ db: `${folder}/a.db`, args: ['--threads', '1'], env })
    await server.stop()
    expect(existsSync(`${folder}/heard`)).toBe(false)
  }))
