import { join } from 'node:path'

/** What the page at /api/docs consists of. */
export interface DocsFiles {
  readonly html: string
  readonly css: string
  readonly icon: string
  readonly script: string
}

const folder = join(import.meta.dir, 'docs-page')

/** Reads them from the checkout. scripts/build.ts embeds the result in the executable. */
export async function readDocsFiles(): Promise<DocsFiles> {
  const [html, css, operationCss, icon, script] = await Promise.all([
    read('page.html'),
    read('page.css'),
    read('operation.css'),
    read('icon.svg'),
    buildScript(),
  ])
  return { html, css: css + operationCss, icon, script }
}

function read(name: string): Promise<string> {
  return Bun.file(join(folder, name)).text()
}

async function buildScript(): Promise<string> {
  const built = await Bun.build({ entrypoints: [join(folder, 'page.ts')], target: 'browser', minify: true })
  const [script] = built.outputs
  if (script === undefined) throw new Error('the page has no script')
  return script.text()
}
