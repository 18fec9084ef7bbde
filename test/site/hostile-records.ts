import { createHostileMarkup, createHostileRecord } from '../browser/hostile-markup.ts'
import type { Fields } from '../contract/service.ts'

const rightToLeft = 'מאגר הרצאות مؤتمر النصوص'
const bidi = '\u202eevil\u202d \u2066isolate \u200f\u200b\ufeff\u00ad\u0085\u007f\u009b\u2028\u2029'
const emoji = '👩🏽‍🚀🏳️‍🌈👨‍👩‍👧‍👦'

export const fill = (text: string, length: number) => text.repeat(Math.ceil(length / [...text].length)).slice(0, length)

/** Markdown that would lead to scripts, pictures or other schemes. */
export function toHostileMarkdown(collector: string): string {
  return [
    '[click](javascript:alert(1)) [click](JaVaScRiPt:alert(1)) [click](java\nscript:alert(1))',
    '<javascript:alert(1)> [click](data:text/html,<script>alert(1)</script>) [click](vbscript:x)',
    `![picture](${collector}/markdown.png) [![in](${collector}/in.png)](${collector}/link "a\\" onmouseover=\\"alert(1)")`,
    `[ref][r] <${collector}/auto?"onmouseover=alert(1)> ${collector}/bare?"><script>alert(1)</script>`,
    '[click](&#106;avascript:alert(1)) [click](\u0001javascript:alert(1))'.replace('\u0001', '%01'),
    '[r]: javascript:alert(1)',
    '# One\n\n#### Four\n\n###### Six\n\n- list\n  - deeper\n',
    '| a | b |\n|---|---|\n| <b>x</b> | `</script>` |',
    `${'>'.repeat(200)} quoted`,
    '```html\n<script>alert(1)</script>\n```',
  ].join('\n\n')
}

/** Live records that are hostile in every field, each in its own way. */
export function createHostileRecords(collector: string): readonly Fields[] {
  const markup = createHostileMarkup(collector)
  const all = markup.join('\n')
  const youTube = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t="><script>alert(1)</script>'
  return [
    { ...createHostileRecord(collector), recorded: '2024-05-01', duration: 90 },
    {
      title: fill('Unbreakable', 255),
      category: fill('Kettenglied', 255),
      speakers: Array.from({ length: 200 }, (_, at) => `${at}${fill('Speaker', 250)}`),
      tags: Array.from({ length: 200 }, (_, at) => `${at}${fill('tag', 95)}`),
      summary: fill('x', 100_000),
      description: fill('&<"', 100_000),
      quality_notes: fill('Wide', 100_000),
      copyright_text: fill(`${collector}/licence/`, 100_000),
      video_mp4_url: `${collector}/${fill('long', 9_000)}.mp4`,
      source_url: `${collector}/${fill('source', 1_900)}`,
      thumbnail_url: `${collector}/thumbnail-long`,
      recorded: '9999-12-31',
      duration: 10_000_000,
    },
    {
      title: `${bidi} ${rightToLeft} ${emoji}`,
      category: `${rightToLeft} ${bidi}`,
      language: 'Arabic',
      speakers: [`${bidi}Speaker`, rightToLeft, emoji],
      tags: [bidi, rightToLeft, emoji, 'javascript:alert(1)', '../../..', '?q=&amp;#"\'', '%00%0a'],
      summary: `${bidi}\n\n${rightToLeft}`,
      description: toHostileMarkdown(collector),
      quality_notes: toHostileMarkdown(collector),
      copyright_text: 'javascript:alert(1)',
      source_url: youTube,
      thumbnail_url: `${collector}/thumbnail-bidi`,
      recorded: '0001-01-01',
    },
    {
      title: fill(emoji, 250),
      category: 'javascript:alert(1)',
      speakers: ['javascript:alert(1)', "'; DROP TABLE record; --", '{{constructor.constructor("alert(1)")()}}'],
      tags: ['</title>', '</script>', '-->', ']]>'],
      summary: '</p></div></main><h1>Not a heading</h1>',
      description: all,
      embed: `<object data="${collector}/flash.swf"></object>`,
      video_webm_url: `${collector}/talk.webm?</script>`,
      thumbnail_url: `${collector}/thumbnail-emoji`,
      duration: 0,
    },
    // Plain, so that the hostile ones are related to something.
    { title: 'A talk beside them', category: 'javascript:alert(1)', tags: ['</title>'], language: 'English' },
  ].map((fields) => ({ state: 1, ...fields }))
}
