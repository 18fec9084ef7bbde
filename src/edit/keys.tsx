import type { Call, TextAnswer } from '../http/route.ts'
import { openSite, type SiteDeps } from '../site/site.ts'
import { KeyTables, renderEditPage, requireCaller, respondEditPage } from './edit-page.tsx'

const pageTitle = 'Keyboard shortcuts'

/** `/edit/keys`: what the help overlay shows, as a page. */
export async function showKeys(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const body = (
    <div class="edit-page keys-page">
      <h1>{pageTitle}</h1>
      <KeyTables />
      <noscript>
        <p class="muted">Shortcuts need JavaScript. Everything works without them, too.</p>
      </noscript>
    </div>
  )
  return respondEditPage(call, renderEditPage({ site, caller: requireCaller(call) }, pageTitle, body))
}
