import { join } from 'node:path'

const page = join(import.meta.dir, '../../docs/client.md')

/** The examples of docs/client.md as one program: later ones use the client that the first one makes. */
export async function readExamples(): Promise<string> {
  const blocks = [...(await Bun.file(page).text()).matchAll(/```ts\n([\s\S]*?)```/g)]
  return blocks.map(([, code = '']) => code).join('\n')
}
