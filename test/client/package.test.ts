import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import packageJson from '../../package.json'
import { launchChromium } from '../browser/chromium.ts'
import { longTest } from '../harness/runs.ts'
import { type Server, startServer } from '../harness/server.ts'
import { readExamples } from './examples.ts'
import { expected } from './expected.ts'
import { installClient, packClient, root, run } from './installed.ts'

// Runner: long, one engine, slow (npm, two compilers and a browser)

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'rostrum-package-')))
let server: Server
let project = ''

beforeAll(async () => {
  project = await installClient(await packClient(scratch), scratch)
  copySources()
  await Bun.write(join(project, examples), await readExamples())
  server = await startServer({ args: ['--threads', '2', '--sample'] })
}, 120_000)

afterAll(async () => {
  await server?.kill9()
  rmSync(scratch, { recursive: true, force: true })
})

const nodeRun = 'node-run.ts'
const scenario = ['scenario.ts', 'vocabulary-scenario.ts', 'curation-scenario.ts', 'seen.ts']
const typedUse = 'typed-use.ts'
const examples = 'examples.ts'

/** The tests' own programs, as a user would write them. */
function copySources(): void {
  for (const name of [nodeRun, ...scenario, typedUse]) {
    const text = readFileSync(join(import.meta.dir, name), 'utf8')
    const theirs = text
      .replaceAll("'../../src/client/client.ts'", "'rostrum-client'")
      .replace(/'(\.\/.*)\.ts'/g, "'$1.js'")
    writeFileSync(join(project, name), theirs)
  }
}

const installed = () => join(project, 'node_modules/rostrum-client')
const compilers = { 'TypeScript 5': 'typescript5', 'TypeScript 7': 'typescript' }
const strict = { strict: true, skipLibCheck: false, target: 'es2022', noUncheckedIndexedAccess: true, noEmit: true }
const strictest = { ...strict, exactOptionalPropertyTypes: true, verbatimModuleSyntax: true, isolatedModules: true }
const node = { lib: ['es2022'], types: ['node'], typeRoots: [join(root, 'node_modules/@types')] }
const browser = { lib: ['es2022', 'dom', 'dom.iterable'], types: [] }
const bare = { lib: ['es2022'], types: [] }
const settings = {
  'nodenext, where there are types of neither Node.js nor the DOM': { ...strictest, ...bare, module: 'nodenext' },
  node16: { ...strict, ...bare, module: 'node16' },
  preserve: { ...strict, ...bare, module: 'preserve' },
  'nodenext in Node.js': { ...strictest, ...node, module: 'nodenext' },
  'bundler in a browser': { ...strictest, ...browser, module: 'esnext', moduleResolution: 'bundler' },
}

async function compile(compiler: string, files: readonly string[], compilerOptions: object) {
  const config = join(project, 'tsconfig.json')
  writeFileSync(config, JSON.stringify({ compilerOptions, files }))
  const { exitCode, stdout } = await run(
    ['node', join(root, 'node_modules', compiler, 'bin/tsc'), '-p', config],
    project,
  )
  return { exitCode, stdout }
}

const fine = { exitCode: 0, stdout: '' }

describe('The packed client', () => {
  test('is small, depends on nothing and has nothing of the server', () => {
    const manifest = JSON.parse(readFileSync(join(installed(), 'package.json'), 'utf8'))
    expect(manifest).toMatchObject({
      name: 'rostrum-client',
      version: packageJson.version,
      license: 'MIT',
      type: 'module',
    })
    expect(Object.keys(manifest).filter((key) => /dependencies|bin|private/i.test(key))).toEqual([])
    const files = readdirSync(installed(), { recursive: true, encoding: 'utf8' })
    const others = files.filter((file) => !/^(package\.json|LICENSE|README\.md|[\w-]+\.(js|d\.ts))$/.test(file))
    expect(others).toEqual([])
    expect(readdirSync(join(project, 'node_modules')).filter((file) => !file.startsWith('.'))).toEqual([
      'rostrum-client',
    ])
  })

  test('has its own README, without links out of the package', () => {
    const text = readFileSync(join(installed(), 'README.md'), 'utf8')
    expect(text).toStartWith('# The client\n')
    expect(text).toContain("import { createClient } from 'rostrum-client'")
    expect([...text.matchAll(/!?\[[^\]]*\]\((?!https?:|#)[^)]*\)/g)].map(([link]) => link)).toEqual([])
  })

  test('uses only web standards', () => {
    const scripts = readdirSync(installed()).filter((file) => file.endsWith('.js'))
    expect(scripts).toContain('client.js')
    for (const name of scripts) {
      const text = readFileSync(join(installed(), name), 'utf8')
      const imports = [...text.matchAll(/\b(?:from|import)\s*\(?\s*'([^']*)'/g)].map(([, target = '']) => target)
      expect(imports.filter((target) => !scripts.includes(target.replace('./', '')))).toEqual([])
      const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
      expect(code.match(/\b(?:Bun|Deno|process|Buffer|require|__dirname|setImmediate|window|document)\b/g)).toBeNull()
    }
  })

  for (const [title, compiler] of Object.entries(compilers)) {
    for (const [name, options] of Object.entries(settings)) {
      const hasFetch = options.lib.includes('dom') || options.types.length > 0
      const ofNode = options.types.length > 0 ? [nodeRun, examples] : []
      const files = [typedUse, ...(hasFetch ? scenario : []), ...ofNode]
      // A compiler takes seconds each time; the oldest setting, and those with a platform, are enough for most runs.
      const isEnough = compiler === 'typescript' ? hasFetch : name === 'node16'
      const declare = isEnough ? test : longTest
      declare(
        `compiles with ${title}, ${name}`,
        async () => {
          // The older compiler takes long to check a platform's own declarations; those of the package it checks elsewhere.
          const skipLibCheck = hasFetch && compiler === 'typescript5'
          expect(await compile(compiler, files, { ...options, skipLibCheck })).toEqual(fine)
        },
        120_000,
      )
    }
  }

  test('compiles with TypeScript 5, node10', async () => {
    const options = { ...strict, ...bare, module: 'commonjs', moduleResolution: 'node10' }
    expect(await compile('typescript5', [typedUse], options)).toEqual(fine)
  }, 120_000)

  test('runs in Node.js, in Bun and in a browser', async () => {
    const options = { ...strictest, ...node, module: 'nodenext', noEmit: false }
    expect(await compile('typescript', [nodeRun], options)).toEqual(fine)
    for (const [name, program] of Object.entries({ node: 'node', bun: process.execPath })) {
      const command = [program, join(project, 'node-run.js'), server.url, server.adminKey, `packed-${name}`]
      const { exitCode, stdout, stderr } = await run(command, project)
      expect({ name, exitCode, stderr }).toEqual({ name, exitCode: 0, stderr: '' })
      expect({ name, ...JSON.parse(stdout) }).toEqual({ name, ...expected })
    }
    expect(await runInBrowser()).toEqual(expected)
  }, 120_000)

  test('can be imported by a CommonJS program', async () => {
    const text = "import('rostrum-client').then(({ createClient }) => console.log(typeof createClient))"
    writeFileSync(join(project, 'old.cjs'), text)
    const { exitCode, stdout } = await run(['node', 'old.cjs'], project)
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'function\n' })
  })
})

const importMap = { imports: { 'rostrum-client': '/node_modules/rostrum-client/client.js' } }
const page = `<!doctype html><title>Another site</title><script type="importmap">${JSON.stringify(importMap)}</script>`

/** Runs the scenario in a page of another origin, which gets the modules as they are installed. */
async function runInBrowser(): Promise<unknown> {
  const site = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { pathname } = new URL(request.url)
      if (pathname === '/') return new Response(page, { headers: { 'Content-Type': 'text/html' } })
      const file = Bun.file(join(project, pathname))
      return (await file.exists()) ? new Response(file) : new Response(null, { status: 404 })
    },
  })
  const chromium = await launchChromium()
  try {
    const tab = await chromium.newPage()
    await tab.goto(`http://127.0.0.1:${site.port}/`)
    const given = [server.url, server.adminKey, 'packed-browser'].map((each) => JSON.stringify(each)).join(', ')
    return await tab.evaluate(`import('/scenario.js').then(({ runScenario }) => runScenario(${given}))`)
  } finally {
    await chromium.close()
    await site.stop(true)
  }
}
