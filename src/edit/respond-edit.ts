import { type Caching, contentTypes, type HeaderValues, toHeaders, toUtf8Body } from '../http/respond.ts'
import type { Call, TextAnswer } from '../http/route.ts'

const caching: Caching = 'private'

/** A page for curators, never compressed: its secrets would be in one text with what others typed (BREACH). */
export function respondEditPage(call: Call, html: string, more: HeaderValues = {}): TextAnswer {
  const headers = toHeaders(call.route.headers, contentTypes.html, caching)
  for (const [name, value] of Object.entries(more)) headers.set(name, value)
  return { status: 200, headers, ...toUtf8Body(html) }
}

/** After a form: the browser reads another page, and may do so again without sending the form twice. */
export function seeOther(call: Call, location: string, more: HeaderValues = {}): TextAnswer {
  const headers = toHeaders(call.route.headers, null, caching)
  for (const [name, value] of Object.entries({ Location: location, ...more })) headers.set(name, value)
  return { status: 303, headers, pieces: [] }
}
