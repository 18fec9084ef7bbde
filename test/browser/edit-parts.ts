import { afterAll, beforeAll, beforeEach } from 'bun:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { renderConflict, renderDiff, renderWholeForm } from '../edit/rendered.tsx'
import { createRecord } from '../site/talk-record.ts'
import { launchChromium } from './chromium.ts'
import { type EditPages, type SentForm, startEditPages } from './edit-pages.ts'

// Installing a browser where there is none takes minutes.
const startTimeoutMs = 300_000
export const testTimeoutMs = 180_000

/** A record with everything that forms lose. */
export const record = createRecord({
  title: 'Tides',
  language: 'English',
  speakers: ['Ada Quill', 'Ben Stone'],
  tags: ['sea'],
  summary: '\r\none\r\ntwo\r\n',
  description: '\none\rtwo\n\r\n three ',
  whiteboard: '\r\nlook again\n',
  copyright_text: '</textarea>&amp;<b>"',
  quality_notes: '\n',
  duration: 2347,
  recorded: '2024-05-31',
  video_ogv_url: '',
  video_mp4_url: 'https://media.example.org/tides.mp4',
  video_mp4_download_only: true,
})
export const pick = { toPickAddress: (kind: string) => `/edit/pick?kind=${kind}` }
const errors = new Map([['title', ['May not be blank.']]])
const theirs = createRecord({ ...record, title: 'Tides of the sea', tags: ['sea', 'moon'] })
const sides = { base: record, theirs, yours: { title: 'Tides and moons', tags: ['tides'] } }
const conflict = `<form class="edit-form" method="post" data-kept-as="video-7">${renderConflict(sides).replace(/<\/?form>/g, '')}</form>`

interface EditParts {
  /** Opens a page: `/form`, `/newer`, `/wrong`, `/again`, `/conflict` or `/diff`. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>
  /** The form that was sent last, when the answer to it is shown. */
  sent(page: Page): Promise<SentForm>
  toUrl(path: string): string
}

/** Starts a browser, and a server of parts of the editor, for the tests of a file. */
export function useEditParts(): EditParts {
  let browser: Browser
  let pages: EditPages
  let context: BrowserContext

  beforeAll(async () => {
    browser = await launchChromium()
    pages = await startEditPages()
    pages.set('/form', renderWholeForm(record, pick))
    pages.set('/newer', renderWholeForm(theirs, pick).replace('3-abc', '4-def'))
    pages.set('/wrong', renderWholeForm(record, { ...pick, errors, typed: new Map([['title', ' ']]) }))
    pages.set('/again', renderWholeForm(record, { ...pick, typed: new Map([['speakers', 'Ada Quill\nNed New']]) }))
    pages.set('/conflict', conflict)
    pages.set('/diff', renderDiff(record, theirs))
  }, startTimeoutMs)
  afterAll(async () => {
    await browser?.close()
    pages?.stop()
  })
  beforeEach(async () => {
    await context?.close()
    context = await browser.newContext()
  })

  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    if (Object.keys(options).length > 0) {
      await context.close()
      context = await browser.newContext(options)
    }
    const page = await context.newPage()
    page.on('pageerror', (error) => {
      throw error
    })
    pages.sent.length = 0
    await page.goto(pages.url + path)
    return page
  }

  async function sent(page: Page): Promise<SentForm> {
    await page.getByText('Saved', { exact: true }).waitFor()
    const [form, ...others] = pages.sent
    if (form === undefined || others.length > 0) throw new Error(`${pages.sent.length} forms were sent`)
    return form
  }

  return { open, sent, toUrl: (path) => pages.url + path }
}

export const control = (page: Page, name: string) => page.locator(`#field-${name}`)
