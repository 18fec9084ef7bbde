import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const source = readFileSync(join(import.meta.dir, '../../node_modules/axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[]
}

/** Every rule of WCAG up to 2.2 AA and every best practice. */
const options = JSON.stringify({ resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } })

/** What a bar at the edge of the window covers is no violation: it depends on how far the page is scrolled. */
const bars = "document.querySelectorAll('.save-bar, .save-bar .buttons')"

/** The violations on a page as it is now, of any impact: rule, element and what to do. */
export async function findViolations(page: Page): Promise<string[]> {
  const isLoaded = await page.evaluate('typeof axe === "object"')
  if (isLoaded !== true) await page.evaluate(source)
  await page.evaluate(`${bars}.forEach((bar) => bar.style.setProperty('position', 'static'))`)
  const violations: readonly Violation[] = await page.evaluate(
    `axe.run(document, ${options}).then((r) => r.violations)`,
  )
  await page.evaluate(`${bars}.forEach((bar) => bar.style.removeProperty('position'))`)
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.slice(0, 3).map(({ target, failureSummary = '' }) => `${id} (${impact}) at ${target}: ${failureSummary}`),
  )
}
