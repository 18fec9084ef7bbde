import { join } from 'node:path'
import type { Load, RepeatedRequest, Sample, Spread } from './load.ts'

const spreadScript = join(import.meta.dir, 'spread.lua')
const pacedScript = join(import.meta.dir, 'paced.lua')

/** The arguments of wrk for this load. */
export function toWrkArguments(load: Load, work: WrkWork): readonly string[] {
  const seconds = Math.ceil(load.durationMs / 1000)
  const server = `http://127.0.0.1:${load.port}`
  const common = ['-t', '1', '-c', String(load.connections), '-d', `${seconds}s`, '--latency']
  if (work.kind === 'spread') return [...common, '-s', spreadScript, server, '--', work.idsFile]
  const headers = Object.entries(work.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const address = `${server}${work.target}`
  if (load.perSecond === null) return [...common, ...headers, address]
  const pauseMs = (load.connections * 1000) / load.perSecond
  return [...common, ...headers, '-s', pacedScript, address, '--', String(pauseMs)]
}

export type WrkWork = RepeatedRequest | Spread

/** The loads that wrk supports: one GET repeatedly, paced or not, or many as fast as possible; null for others. */
export function toWrkWork({ work, perSecond }: Load): WrkWork | null {
  if (work.kind === 'spread') return perSecond === null ? work : null
  return work.kind === 'repeat' && work.method === 'GET' ? work : null
}

/** Parses the report of wrk. */
export function parseWrkReport(report: string, work: WrkWork): Sample {
  const [, requests = '', size = '', unit = ''] = /(\d+) requests in [^,]+, ([\d.]+)([KMGT]?)B read/.exec(report) ?? []
  const answers = Number(requests)
  const bytes = Number(size) * 1024 ** ' KMGT'.indexOf(unit === '' ? ' ' : unit)
  const errors = /(?:Socket errors|Non-2xx or 3xx responses):.*/.exec(report)?.[0] ?? null
  return {
    answers,
    perSecond: Number(/Requests\/sec:\s*([\d.]+)/.exec(report)?.[1]),
    p50Ms: toMs(/50%\s+([\d.]+\w+)/.exec(report)?.[1]),
    p99Ms: toMs(/99%\s+([\d.]+\w+)/.exec(report)?.[1]),
    problem: errors ?? judgeSize(answers, bytes, work.kind === 'spread' ? null : work.answerBytes),
  }
}

/** wrk does not check responses, but a wrong one would have a different size. */
function judgeSize(answers: number, bytes: number, answerBytes: number | null): string | null {
  if (!(answers > 0)) return 'wrk got no answers'
  if (answerBytes === null) return null
  const average = bytes / answers
  // The figures of wrk are rounded, and responses cut off at the end of the run count half.
  const isNear = Math.abs(average / answerBytes - 1) < 0.05
  return isNear ? null : `answers of ${Math.round(average)} bytes on average instead of ${answerBytes}`
}

function toMs(text = ''): number {
  const [, number = '', unit = ''] = /^([\d.]+)(us|ms|s)$/.exec(text) ?? []
  return Number(number) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN)
}
