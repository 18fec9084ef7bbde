import { join } from 'node:path'

const root = join(import.meta.dir, '../..')
const page = join(root, 'docs/client.md')

/** The examples of docs/client.md as one program: later ones use the client that the first one makes. */
export async function readExamples(): Promise<string> {
  const blocks = [...(await Bun.file(page).text()).matchAll(/```ts\n([\s\S]*?)```/g)]
  return blocks.map(([, code = '']) => code).join('\n')
}

/** Makes the sources of the client the package `rostrum-client` of programs in the folder. */
export async function linkClient(folder: string): Promise<void> {
  const source = JSON.stringify(join(root, 'src/client/client.ts'))
  await Bun.write(join(folder, 'node_modules/rostrum-client/index.ts'), `export * from ${source}\n`)
}
