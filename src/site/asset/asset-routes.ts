import { readFileSync } from 'node:fs'
import { isKnown } from '../../http/conditional.ts'
import { chooseCoding } from '../../http/negotiate.ts'
import { Refused } from '../../http/problem.ts'
import { toHeaders } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { respondText, type SiteDeps } from '../site.ts'
import favicon from './favicon.ico' with { type: 'file' }
import artwork from './podcast.png' with { type: 'file' }

/** A style sheet, script or icon. A known file with another hash returns the current one, uncached (rolling upgrades). */
export async function readAsset(call: Call<'file'>, { assets }: Pick<SiteDeps, 'assets'>): Promise<Response> {
  const asset = (await assets.load()).find(call.params.file)
  if (asset === null) throw new Refused({ code: 'no_such_path' })
  const coding = chooseCoding(call.head.acceptEncoding)
  const headers = toHeaders(call.route.headers, asset.type, asset.isCurrent ? 'immutable' : 'never')
  headers.set('Vary', 'Accept-Encoding')
  headers.set('ETag', `"${call.params.file}.${coding}"`)
  if (coding !== 'identity') headers.set('Content-Encoding', coding)
  if (asset.isCurrent && isKnown(call.head, headers.get('ETag') ?? ''))
    return new Response(null, { status: 304, headers })
  return new Response(Buffer.from(asset.read(coding)), { headers })
}

/** `/favicon.ico`, and the picture of podcasts. Only the icon of pages, an SVG, has the accent colour. */
export const createFavicon = () => createPicture(favicon, 'image/vnd.microsoft.icon')
export const createArtwork = () => createPicture(artwork, 'image/png')

function createPicture(path: string, type: string) {
  let picture: Uint8Array | null = null
  return async (call: Call): Promise<TextAnswer> => {
    picture ??= readFileSync(path)
    return respondText(call, { text: picture, type })
  }
}
