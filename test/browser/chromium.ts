import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { chromium, type Page } from 'playwright-core'

const root = resolve(import.meta.dir, '../..')
/** The shell has no window and needs half the CPU. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
]

/** A browser on an empty profile that speaks to nobody by itself. */
export async function launchChromium() {
  return await chromium.launch({
    executablePath: await findChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  })
}

/** Where a page is and how its text begins, for the message of a story that failed. */
export async function describePage(page: Page): Promise<string> {
  const text = await page.locator('body').innerText({ timeout: 2_000 }).catch(String)
  return `${page.url()}: ${text.replace(/\s+/g, ' ').slice(0, 400)}`
}

/** The path of a Chromium; installs one where none is, and throws a text that says what to do where none can be had. */
export async function findChromium(): Promise<string> {
  const here = lookAround()
  if (here !== undefined) return here
  const tried = await install()
  const installed = lookAround() ?? playwrightsOwn()
  if (installed !== undefined) return installed
  const text = [
    'THE BROWSER TESTS CANNOT RUN: there is no Chromium here and none could be installed.',
    `Looked at CHROME_PATH and on the PATH for ${names.join(', ')}; then tried: ${tried}.`,
    'Install Chromium and name its program in CHROME_PATH, then run the tests again.',
  ].join('\n')
  console.error(text)
  throw new Error(text)
}

function lookAround(): string | undefined {
  const named = process.env.CHROME_PATH
  if (named) {
    if (existsSync(named)) return named
    throw new Error(`CHROME_PATH names ${named}, which does not exist; name a Chromium there or unset it.`)
  }
  for (const name of names) {
    const path = Bun.which(name)
    if (path !== null) return path
  }
  return undefined
}

function playwrightsOwn(): string | undefined {
  const path = chromium.executablePath()
  return existsSync(path) ? path : undefined
}

async function install(): Promise<string> {
  console.error('No Chromium here; installing one (once) ...')
  const isDebianRoot = process.platform === 'linux' && process.getuid?.() === 0 && Bun.which('apt-get') !== null
  if (isDebianRoot) {
    const steps = [await run(['apt-get', 'update'])]
    for (const name of ['chromium-headless-shell', 'chromium']) {
      if (lookAround() === undefined)
        steps.push(await run(['apt-get', 'install', '-y', '--no-install-recommends', name]))
    }
    return steps.join('; ')
  }
  return await run([process.execPath, `${root}/node_modules/playwright-core/cli.js`, 'install', 'chromium'])
}

/** Runs a command with its output on standard error and tells how it went. */
async function run(command: readonly string[]): Promise<string> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  try {
    const child = Bun.spawn([...command], { env, stdio: ['ignore', 2, 2] })
    return `\`${command.join(' ')}\` (exit code ${await child.exited})`
  } catch (error) {
    return `\`${command.join(' ')}\` (${error instanceof Error ? error.message : error})`
  }
}
