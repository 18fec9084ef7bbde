import { describe, expect, test } from 'bun:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { headerOf } from '../harness/raw.ts'
import { fieldNames } from './every-record.ts'
import { type Fields, isFields, parseFields, tagOf, useService } from './service.ts'
import { type Row, runTable } from './table.ts'

const service = useService()
const path = '/api/v2/openapi.json'

const rows: readonly Row[] = [
  { name: 'The description is JSON', method: 'GET', path, status: 200, has: { 'Content-Type': 'application/json' } },
  { name: 'The description has the same answer behind a slash', method: 'GET', path: `${path}/`, status: 200 },
  { name: 'HEAD of the description has no body', method: 'HEAD', path, status: 200 },
  { name: 'OPTIONS of the description is answered', method: 'OPTIONS', path, status: 200 },
  { name: 'POST on the description is not allowed', method: 'POST', path, status: 405, as: 'admin' },
  { name: 'The description with a wrong token gets 401', method: 'GET', path, as: 'wrong', status: 401 },
  { name: 'The description as an image gets 406', method: 'GET', path, headers: { Accept: 'image/png' }, status: 406 },
]

describe('The description', () => {
  runTable(rows, service)

  test('lints without an error or a warning', async () => {
    const { body: source } = await service.call({ method: 'GET', path })
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({ source, config })
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
  })

  test('names the address that was asked', async () => {
    const headers = { Host: 'videos.example.org:8080' }
    const answer = await service.call({ method: 'GET', path, headers })
    expect(parseFields(answer).servers).toEqual([{ url: 'http://videos.example.org:8080' }])
  })

  test('is not sent again to a client that has it', async () => {
    const tag = tagOf(await service.call({ method: 'GET', path }))
    const again = await service.call({ method: 'GET', path, headers: { 'If-None-Match': tag } })
    expect([again.status, again.body, headerOf(again, 'ETag')]).toEqual([304, '', tag])
  })

  test('has the record’s fields, all required, in the document’s order', async () => {
    const { VideoRecord } = await readSchemas()
    const { properties, required, additionalProperties } = isFields(VideoRecord) ? VideoRecord : {}
    expect([Object.keys(properties ?? {}), required, additionalProperties]).toEqual([fieldNames, fieldNames, false])
  })

  test('lets nobody write but with a token', async () => {
    const { paths } = parseFields(await service.call({ method: 'GET', path }))
    const open = Object.entries(isFields(paths) ? paths : {}).flatMap(([name, methods]) =>
      Object.entries(isFields(methods) ? methods : {})
        .filter(([method]) => ['post', 'put', 'patch', 'delete'].includes(method))
        .filter(([, operation]) => !isFields(operation) || JSON.stringify(operation.security).includes('{}'))
        .map(([method]) => `${method} ${name}`),
    )
    expect(open).toEqual([])
  })
})

async function readSchemas(): Promise<Fields> {
  const { components } = parseFields(await service.call({ method: 'GET', path }))
  const schemas = isFields(components) ? components.schemas : {}
  return isFields(schemas) ? schemas : {}
}
