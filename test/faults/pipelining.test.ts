import { expect, test } from 'bun:test'
import { useService } from '../contract/service.ts'
import { exchange, toBytes } from '../harness/raw.ts'

const service = useService()

test('pipelined requests for uncached records are answered in order', async () => {
  const ids: unknown[] = []
  for (let i = 0; i < 8; i++) ids.push((await service.create({ title: `Talk ${i}` })).id)
  const { port } = service.server()
  const requests = ids.map((id) => toBytes(port, { method: 'GET', target: `/api/v2/video/${id}` }))
  const answers = await exchange(port, Buffer.concat(requests), { methods: ids.map(() => 'GET') })
  expect(answers.map(({ status, body }) => [status, JSON.parse(body).id])).toEqual(ids.map((id) => [200, id]))
})
