/** What a record may have to watch or to show; a line in the lists has a bit for each, in this order. */
export const mediaKinds = ['mp4', 'webm', 'ogv', 'flv', 'embed', 'thumbnail'] as const
export type MediaKind = (typeof mediaKinds)[number]
