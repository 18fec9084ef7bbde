/** Any origin: whatever leads to another one is not ours. */
const origin = 'http://rostrum.invalid'
const maxLength = 2_000

/**
 * Where to go after signing in: a path of the pages for curators with its query; `editHome` for everything else, so that
 * no link leads through our sign-in to another site. A query that is too long is left out: a form that was sent there
 * still finds its page.
 */
export function toNextPath(wanted: string | null, editHome: string): string {
  if (wanted === null || !wanted.startsWith('/')) return editHome
  const url = URL.parse(wanted, origin)
  if (url === null || url.origin !== origin) return editHome
  const { pathname, search } = url
  const isOurs = pathname === editHome || pathname.startsWith(`${editHome}/`)
  if (!isOurs || pathname.startsWith(`${editHome}/sign-`) || pathname.length > maxLength) return editHome
  return pathname.length + search.length > maxLength ? pathname : `${pathname}${search}`
}
