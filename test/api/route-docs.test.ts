import { describe, expect, test } from 'bun:test'
import { routes } from '../../scripts/description.ts'
import { routeDocs } from '../../src/api/openapi/openapi.ts'
import { listParameters } from '../../src/api/openapi/operation-docs.ts'

const paths = routes.map(({ path }) => path)

describe('The texts about the routes', () => {
  test('exist for each path of the route table and for no other', () => {
    expect(Object.keys(routeDocs).sort()).toEqual([...paths].sort())
  })

  for (const { path, actions, allow } of routes) {
    const docs = routeDocs[path]
    if (docs === null || docs === undefined) continue

    test(`of ${path} are there for each of its methods and for no other`, () => {
      // HEAD has the texts of GET.
      const wanted = Object.keys(actions).filter((method) => method !== 'HEAD')
      expect(Object.keys(docs.methods).sort()).toEqual(wanted.sort())
      expect(allow.split(', ').sort()).toEqual(Object.keys(actions).sort())
    })

    test(`of ${path} name its parameters`, () => {
      const wanted = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
      expect((docs.parameters ?? []).map(({ name }) => name)).toEqual(wanted)
    })
  }

  test('name no parameter of the list twice', () => {
    const names = listParameters.map(({ name }) => name)
    expect(names).toEqual([...new Set(names)])
  })
})
