import { mkdirSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../test/browser/chromium.ts'
import { startServer } from '../test/harness/server.ts'

/** Makes the pictures of the documents from the sample. Run it with a Chromium and fonts for all scripts. */
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
  const file = join(folder, `${name}.png`)
  await page.screenshot({ path: file })
  await page.close()
  console.log(`${relative(process.cwd(), file)}: ${Math.round(statSync(file).size / 1000)} KB`)
}

mkdirSync(folder, { recursive: true })
const server = await startServer({
  args: ['--threads', '1', '--sample', '--site-name', 'Lantern Talks', '--list-ms', '8000'],
})
const browser = await launchChromium()
try {
  for (const picture of pictures) await take(browser, server.url, picture)
} finally {
  await browser.close()
  await server.stop()
}
