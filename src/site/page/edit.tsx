import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { renderPage } from '../part/layout.tsx'
import { respondText } from '../respond-page.ts'
import { openSite, type SiteNeeds } from '../site.ts'
import { texts } from '../texts.ts'

/** `/edit/video/<id>`, where *Edit* leads: how to change a record. It says nothing about the record itself. */
export async function showHowToEdit(call: Call<'id'>, needs: SiteNeeds): Promise<TextAnswer> {
  const site = await openSite(call, needs)
  const { id } = call.params
  const { text, api, contact } = texts.edit
  const title = texts.edit.title(id)
  const address = site.settings.contact
  const body = (
    <div class="error-page">
      <h1>{title}</h1>
      <p>{text}</p>
      <p>
        <a href={site.at.path('/api/docs#changeVideo')}>{api}</a>
      </p>
      {address !== null && (
        <p>
          <a href={address.includes('://') ? address : `mailto:${address}`}>{contact}</a>
        </p>
      )}
    </div>
  )
  const html = renderPage(site, { title, canonical: site.at.edit(Number(id)), isIndexed: false }, body)
  return respondText(call, { text: html, type: contentTypes.html, caching: 'private' })
}
