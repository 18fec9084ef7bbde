import { describe, expect, test } from 'bun:test'
import { headerOf } from '../harness/raw.ts'
import { toPath, useService } from './service.ts'
import { type Row, runTable } from './table.ts'

// Runner: checkout

const service = useService()

const health: readonly Row[] = ['/healthz', '/readyz', '/metrics'].map((path) => ({
  name: `${path} answers without a token`,
  method: 'GET',
  path,
  status: 200,
}))

const name = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const label = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"'
const value = '(?:[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?|[+-]?Inf|NaN)'
const sample = new RegExp(`^(${name})(?:\\{(?:${label}(?:,${label})*,?)?\\})? ${value}(?: -?\\d+)?$`)
const typeLine = new RegExp(`^# TYPE (${name}) (counter|gauge|histogram|summary|untyped)$`)
const helpLine = new RegExp(`^# HELP (${name})( .*)?$`)

async function readMetrics(): Promise<string[]> {
  const answer = await service.call({ method: 'GET', path: '/metrics' })
  expect(headerOf(answer, 'Content-Type')).toMatch(/^text\/plain/)
  expect(answer.body).toEndWith('\n')
  return answer.body.split('\n').filter((line) => line !== '')
}

describe('The system pages', () => runTable(health, service))

describe('The metrics', () => {
  test('are Prometheus text', async () => {
    const lines = await readMetrics()
    const wrong = lines.filter((line) => ![sample, typeLine, helpLine].some((pattern) => pattern.test(line)))
    expect(wrong).toEqual([])
    expect(lines.filter((line) => sample.test(line)).length).toBeGreaterThan(0)
  })

  test('name the type of each metric once', async () => {
    const types = (await readMetrics()).map((line) => typeLine.exec(line)?.[1]).filter((type) => type !== undefined)
    expect(types.length).toBeGreaterThan(0)
    expect(new Set(types).size).toBe(types.length)
  })

  test('have no sample twice', async () => {
    const samples = (await readMetrics()).filter((line) => sample.test(line)).map((line) => line.replace(/ \S+$/, ''))
    expect(new Set(samples).size).toBe(samples.length)
  })

  test('stay readable after requests of every kind', async () => {
    const { id } = await service.create()
    await service.call({ method: 'GET', path: toPath(id) })
    await service.call({ method: 'GET', path: '/api/v2/%22%0a{x="y"}' })
    await service.call({ method: 'DELETE', path: toPath(id) })
    const lines = await readMetrics()
    expect(lines.filter((line) => !line.startsWith('#') && !sample.test(line))).toEqual([])
  })
})
