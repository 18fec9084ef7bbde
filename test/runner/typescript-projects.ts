import { dirname } from 'node:path'
import { root } from './test-files.ts'

/**
 * The folders with a tsconfig.json. Scripts for browsers have one of their own, with the types of the DOM instead of
 * Bun's, and the tsconfig.json of the root leaves them out, so each is compiled by itself.
 */
export function findTypeScriptProjects(): readonly string[] {
  const configs = [...new Bun.Glob('{src,test,bench,scripts}/**/tsconfig.json').scanSync(root)]
  return ['.', ...configs.map(dirname).sort()]
}
