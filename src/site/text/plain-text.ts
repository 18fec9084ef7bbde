/** Passages come from the beginning of a text: see `record/text/highlight.ts`. */
const maxLength = 12_000

const link = /!?\[([^[\]]{0,300})\]\([^()\s]{0,1000}\)/g
/** `name <address>`_ in reStructuredText. */
const role = /`([^`<>]{1,300}) <[^`<>\s]{1,1000}>`__?/g
/** `<https://example.org/>` in Markdown. */
const autolink = /<(https?:\/\/[^\s<>]{1,1000})>/g
const rule = /^[^\S\n]{0,9}([=~^*#_+-])\1{2,300}[^\S\n]{0,9}$/gm
const heading = /^[^\S\n]{0,9}(?:#{1,6}|>) /gm
const bullet = /^[^\S\n]{0,9}[*+-] /gm
const italic = /(?<![\w*])\*([^\s*][^*\n]{0,200})\*(?![\w*])/g
const emphasis = /\*{2,3}|`{1,3}_{0,2}/g

/** The beginning of a text without most of its markup. Signs that words may have stay: `C#`, `snake_case`. */
export function stripMarkup(text: string): string {
  return text
    .slice(0, maxLength)
    .replace(link, '$1')
    .replace(role, '$1')
    .replace(autolink, '$1')
    .replace(rule, '')
    .replace(heading, '')
    .replace(bullet, '• ')
    .replace(italic, '$1')
    .replace(emphasis, '')
}
