import { readFileSync } from 'node:fs'
import { respondCoded } from '../../http/compression.ts'
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
  const headers = toHeaders(call.route.headers, asset.type, asset.isCurrent ? 'immutable' : 'never')
  if (asset.isCurrent) headers.set('ETag', `"${call.params.file}"`)
  return respondCoded(call, headers, asset)
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
