import type { Call, TextAnswer } from '../../http/route.ts'
import { respondText } from '../respond-page.ts'
import type { SiteNeeds } from '../site.ts'
import { toArtwork, toFavicon } from './icon-bitmap.ts'

/** `/favicon.ico`, and the picture of podcasts. Drawn once. */
export const createFavicon = () => createPicture(toFavicon, 'image/vnd.microsoft.icon')
export const createArtwork = () => createPicture(toArtwork, 'image/png')

function createPicture(draw: (accent: string) => Uint8Array, type: string) {
  let picture: Uint8Array | null = null
  return async (call: Call, { settings }: Pick<SiteNeeds, 'settings'>): Promise<TextAnswer> => {
    picture ??= draw(settings.accent)
    return respondText(call, { text: picture, type })
  }
}
