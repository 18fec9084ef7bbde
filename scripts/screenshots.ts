import { mkdirSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../test/browser/chromium.ts'
import { startServer } from '../test/harness/server.ts'
import { type Archive, curatorPictures, openArchive, signIn } from './curator-pictures.ts'

/**
 * Makes the pictures of the documents from the sample; with `--curators`, only those of their pages. Run it with a
 * Chromium and fonts for all scripts.
 */
const folder = resolve(import.meta.dir, '../docs/images')

interface Picture {
  readonly name: string
  readonly path: string
  readonly width: number
  readonly height: number
  readonly colorScheme: 'light' | 'dark'
}

const wide = { width: 1040, height: 640 }
const phone = { width: 360, height: 700 }

const pictures: readonly Picture[] = [
  { name: 'home', path: '/', ...wide, colorScheme: 'light' },
  { name: 'talk', path: '/video/127', ...wide, colorScheme: 'dark' },
  { name: 'search', path: '/search?q=tests', ...wide, colorScheme: 'light' },
  { name: 'phone', path: '/category/lamplight-conf-2023', ...phone, colorScheme: 'light' },
]

async function take(browser: Browser, url: string, { name, path, width, height, colorScheme }: Picture): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme })
  await page.goto(`${url}${path}`, { waitUntil: 'load' })
  // A video shows its first picture once its metadata is loaded.
  await page.waitForTimeout(1_500)
  await save(page, name)
  await page.close()
}

/** The pages for curators, in the order in which they change the records. */
async function takeCurators(browser: Browser, url: string, archive: Archive): Promise<void> {
  const page = await browser.newPage({ baseURL: url, viewport: wide, colorScheme: 'light' })
  await signIn(page, archive)
  for (const { name, open } of curatorPictures) {
    await open(page, archive)
    await page.waitForTimeout(500)
    await save(page, name)
  }
  await page.close()
}

async function save(page: Page, name: string): Promise<void> {
  const file = join(folder, `${name}.png`)
  await page.screenshot({ path: file })
  console.log(`${relative(process.cwd(), file)}: ${Math.round(statSync(file).size / 1000)} KB`)
}

mkdirSync(folder, { recursive: true })
const server = await startServer({
  args: ['--threads', '1', '--sample', '--site-name', 'Lantern Talks', '--list-ms', '8000'],
})
const browser = await launchChromium()
try {
  if (!process.argv.includes('--curators')) for (const picture of pictures) await take(browser, server.url, picture)
  await takeCurators(browser, server.url, await openArchive(server))
} finally {
  await browser.close()
  await server.stop()
}
