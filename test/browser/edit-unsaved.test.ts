import { describe, expect, test } from 'bun:test'
import { until } from '../harness/until.ts'
import { control, testTimeoutMs, useEditParts } from './edit-parts.ts'

// Runner: long, slow, one engine

const { open, sent, toUrl } = useEditParts()

describe('What is typed', () => {
  async function leave(title: string): Promise<void> {
    const page = await open('/form')
    await control(page, 'title').fill(title)
    await control(page, 'video_mp4_download_only').uncheck()
    await page.getByLabel('Add to speakers').fill('Cy')
    page.on('dialog', (dialog) => dialog.accept())
    const isClosed = page.waitForEvent('close')
    await page.close({ runBeforeUnload: true })
    await isClosed
  }

  test(
    'is offered again after the page was closed, and is sent with the version it was made from',
    async () => {
      await leave('Typed before')
      const page = await open('/newer')
      expect(await control(page, 'title').inputValue()).toBe('Tides of the sea')
      await page.getByText('Restore them').click()
      expect(await control(page, 'title').inputValue()).toBe('Typed before')
      expect(await control(page, 'video_mp4_download_only').isChecked()).toBe(false)
      await page.click('button[value=save]')
      const form = await sent(page)
      expect([form.get('field.title'), form.get('etag')]).toEqual(['Typed before', '3-abc'])
      expect(form.get('field.speakers')).toBe('Ada Quill\r\nBen Stone\r\nCy')
    },
    testTimeoutMs,
  )

  test(
    'is removed when it is discarded',
    async () => {
      await leave('Typed before')
      const page = await open('/form')
      await page.getByText('Discard them').click()
      await page.reload()
      expect(await page.locator('.unsaved-offer').count()).toBe(0)
    },
    testTimeoutMs,
  )

  test(
    'is offered again if it was invalid, and removed when it is saved',
    async () => {
      const wrong = await open('/wrong')
      await control(wrong, 'whiteboard').fill('typed after the error')
      await until('it is kept', async () => {
        return String(await wrong.evaluate('JSON.stringify(localStorage)')).includes('typed after')
      })
      await wrong.close()
      const page = await open('/form')
      await page.getByText('Restore them').click()
      expect(await control(page, 'title').inputValue()).toBe(' ')
      expect(await control(page, 'whiteboard').inputValue()).toBe('typed after the error')
      await page.click('button[value=save]')
      await sent(page)
      expect(await (await open('/form')).locator('.unsaved-offer').count()).toBe(0)
    },
    testTimeoutMs,
  )

  test(
    'is protected by a question before the page is left',
    async () => {
      const page = await open('/form')
      const asked: string[] = []
      page.on('dialog', async (dialog) => {
        asked.push(dialog.type())
        await dialog.dismiss()
      })
      await control(page, 'title').fill('Typed')
      await page.close({ runBeforeUnload: true })
      await until('the browser asks', async () => asked.length > 0)
      expect(asked).toEqual(['beforeunload'])
      await control(page, 'title').fill('Tides')
      await page.goto(toUrl('/diff'))
      expect(asked).toEqual(['beforeunload'])
    },
    testTimeoutMs,
  )

  test(
    'is counted in characters, not in UTF-16 units',
    async () => {
      const page = await open('/form')
      await control(page, 'title').fill('💡'.repeat(250))
      expect(await page.getByText('5 characters left').count()).toBe(1)
      await control(page, 'title').fill('💡'.repeat(257))
      expect(await page.getByText('2 characters too many').count()).toBe(1)
    },
    testTimeoutMs,
  )
})
