/** Formats of podcasts, the most widely played first. */
export const fileFormats = ['mp4', 'webm', 'ogv'] as const
export type FileFormat = (typeof fileFormats)[number]

export const fileTypes: { readonly [F in FileFormat]: string } = {
  mp4: 'video/mp4',
  webm: 'video/webm',
  ogv: 'video/ogg',
}
