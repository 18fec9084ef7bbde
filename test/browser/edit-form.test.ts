import { describe, expect, test } from 'bun:test'
import { parseForm } from '../../src/edit/form/form-values.ts'
import { renderWholeForm } from '../edit/rendered.tsx'
import { submitForm } from '../edit/submit-form.ts'
import { sample } from '../harness/runs.ts'
import { findViolations } from './axe.ts'
import type { SentForm } from './edit-pages.ts'
import { control, pick, record, testTimeoutMs, useEditParts } from './edit-parts.ts'

// Runner: slow, one engine

const { open, sent } = useEditParts()

function listEntries(form: Pick<SentForm, 'forEach'>): unknown[] {
  const entries: unknown[] = []
  form.forEach((value, name) => {
    entries.push([name, value])
  })
  return entries
}

describe('A browser', () => {
  for (const javaScriptEnabled of [true, false]) {
    test(
      `sends an untouched form ${javaScriptEnabled ? 'with' : 'without'} JavaScript as our tests do`,
      async () => {
        const page = await open('/form', { javaScriptEnabled })
        await page.click('button[value=save]')
        const form = await sent(page)
        const expected = submitForm(renderWholeForm(record, pick))
        expected.append('do', 'save')
        expect(listEntries(form)).toEqual(listEntries(expected))
        expect(parseForm(form, record)).toEqual({ ok: true, changes: {}, typed: new Map() })
      },
      testTimeoutMs,
    )
  }
})

test(
  'a form with errors has the focus on their list',
  async () => {
    const page = await open('/wrong')
    expect(await page.evaluate('document.activeElement.className')).toBe('error-summary')
    await page.click('.error-summary a')
    expect(await page.evaluate('document.activeElement.id')).toBe('field-title')
  },
  testTimeoutMs,
)

test(
  'typing into the text of a conflict chooses it',
  async () => {
    const page = await open('/conflict')
    await page.getByText('Theirs').first().click()
    await control(page, 'title').fill('Tides, moons and the sea')
    const radio = page.locator('input[name="choice.title"][value=edited]')
    expect(await radio.isChecked()).toBe(true)
  },
  testTimeoutMs,
)

describe('Every part', () => {
  for (const path of ['/form', '/wrong', '/conflict', '/diff']) {
    for (const colorScheme of sample(['light', 'dark'] as const)) {
      test(
        `${path} is accessible and fits ${colorScheme} windows of any width`,
        async () => {
          const page = await open(path, { colorScheme })
          expect(await findViolations(page)).toEqual([])
          for (const width of [320, 360, 768, 1280, 1920]) {
            await page.setViewportSize({ width, height: 800 })
            const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
            expect([width, Number(over)]).toEqual([width, 0])
          }
        },
        testTimeoutMs,
      )
    }
  }
})
