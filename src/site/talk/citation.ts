import type { VideoRecord } from '../../record/record.ts'

/** `Ann Bell, Cy Dahl: "Title". PyCon 2014, 2014-04-11. https://…` */
export function toCitation({ speakers, title, category, recorded }: VideoRecord, url: string): string {
  const by = speakers.length === 0 ? '' : `${speakers.join(', ')}: `
  return `${by}“${title}”. ${[category, ...(recorded === null ? [] : [recorded])].join(', ')}. ${url}`
}

/** An entry for BibTeX and biblatex. */
export function toBibTex(record: VideoRecord, url: string): string {
  const { id, slug, speakers, title, category, recorded } = record
  const [year, month] = recorded?.split('-') ?? []
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['author', speakers.length === 0 ? undefined : speakers.map(toBibTexText).join(' and ')],
    ['title', `{${toBibTexText(title)}}`],
    ['howpublished', `Talk at ${toBibTexText(category)}`],
    ['year', year],
    ['month', month && String(Number(month))],
    ['url', url],
  ]
  const lines = fields.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name} = {${value}},`]))
  return [`@misc{${slug.split('-').slice(0, 3).join('-')}-${id},`, ...lines, '}'].join('\n')
}

/** Braces and control symbols of TeX as plain characters. */
function toBibTexText(text: string): string {
  return text
    .replace(/[\\{}]/g, '')
    .replace(/[&%$#_]/g, '\\$&')
    .replace(/~/g, '\\textasciitilde{}')
    .replace(/\s+/g, ' ')
}
