import { expect, test } from 'bun:test'
import config from '../../tsconfig.json'
import { findTypeScriptProjects } from './typescript-projects.ts'

test('what the tsconfig.json of the root leaves out is checked by one of its own', () => {
  expect(findTypeScriptProjects()).toEqual(['.', ...config.exclude].sort())
})
