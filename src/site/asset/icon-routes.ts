import { readFileSync } from 'node:fs'
import type { Call, TextAnswer } from '../../http/route.ts'
import { respondText } from '../respond-page.ts'
import favicon from './favicon.ico' with { type: 'file' }
import artwork from './podcast.png' with { type: 'file' }

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
