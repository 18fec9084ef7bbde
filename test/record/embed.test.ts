import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseFragment } from 'parse5'
import { embedMarkup, findMarkupProblems, toEmbed } from '../../src/record/embed.ts'
import { runs } from '../harness/runs.ts'

test.each([
  ['https://www.youtube.com/watch?v=abcDEF_-123', 'https://www.youtube.com/v/abcDEF_-123?version=3&amp;hl=en_US'],
  ['http://youtube.com/watch?feature=x&v=abcDEF_-123', 'https://www.youtube.com/v/abcDEF_-123?version=3&amp;hl=en_US'],
  ['https://youtu.be/abcDEF_-123?t=10', 'https://www.youtube.com/v/abcDEF_-123?version=3&amp;hl=en_US'],
  ['https://www.youtube.com/embed/abcDEF_-123', 'https://www.youtube.com/v/abcDEF_-123?version=3&amp;hl=en_US'],
  ['https://vimeo.com/76979871', 'https://vimeo.com/moogaloop.swf?clip_id=76979871&amp;server=vimeo.com'],
  ['https://player.vimeo.com/video/76979871', 'https://vimeo.com/moogaloop.swf?clip_id=76979871&amp;server=vimeo.com'],
])('the player of %s plays %s, in the described shape', (source, address) => {
  const embed = toEmbed(source)
  expect(embed).toStartWith('<object width="640" height="390"><param name="movie" value="')
  for (const name of ['movie', 'allowFullScreen', 'allowscriptaccess']) expect(embed).toContain(`<param name="${name}"`)
  expect(embed.split(`"${address}"`)).toHaveLength(3)
  expect(embed).toContain('width="640" height="390" allowscriptaccess')
  expect(findMarkupProblems(embed)).toEqual([])
})

test.each([
  '',
  'https://example.org/watch?v=abcDEF_-123',
  'https://www.youtube.com/',
  'https://youtube.com.evil.org/v/x',
  'https://vimeo.com/about',
])('there is no player for %p', (source) => {
  expect(toEmbed(source)).toBe('')
})

test.each([
  '<iframe width="560" height="315" src="https://www.youtube.com/embed/x" frameborder="0" allowfullscreen></iframe>',
  '<video controls width="640"><source src="https://example.org/a.mp4" type="video/mp4"></video>',
  '<audio src="http://example.org/a.ogg" controls></audio> <a href="https://example.org/">Listen</a>',
  '<OBJECT WIDTH=640><PARAM NAME=movie VALUE="http://example.org/p.swf"></OBJECT>',
])('%s is a player', (markup) => {
  expect(embedMarkup().parse(markup)).toEqual({ ok: true, value: markup })
})

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<body onload=alert(1)>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe src="data:text/html,x"></iframe>',
  '<iframe src="//example.org/x"></iframe>',
  '<iframe src="/x"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<iframe><a title="</iframe><script>alert(1)</script>"></iframe>',
  '<iframe><script>alert(1)</script></iframe>',
  '<a href=" javascript:alert(1)">x</a>',
  '<a href="java&#10;script:alert(1)">x</a>',
  '<a href="https://example.org/" onclick="alert(1)">x</a>',
  '<video src="https://example.org/a.mp4" style="position:fixed"></video>',
  '<object data="data:text/html,x"></object>',
  '<param name="movie" value="javascript:alert(1)">',
  '<embed src="https://example.org/a.swf" flashvars="x=javascript:alert(1)">',
  '<!-- a comment --><a href="https://example.org/">x</a>',
  '<!doctype html>',
  '<svg><a href="https://example.org/">x</a></svg>',
  '<math><mtext></math>',
  '</p>',
  '<a href="https://example.org/"><b>x</b></a>',
  '<constructor>',
  '<a href="https://example.org/" title="',
  '<script',
  '<iframe src="https://example.org/">',
  '<a href="https://example.org/"><video></a></video>',
  '</a>',
  'plain text',
  '<a href="https://a.b/" href="https://c.d/">x</a>',
  'a < b',
])('%s is no player', (markup) => {
  expect(embedMarkup().parse(markup).ok).toBe(false)
})

test('whatever is accepted holds nothing but the allowed elements when a browser parses it', () => {
  const piece = fc.constantFrom(
    ...[
      '<iframe>',
      '</iframe>',
      '<a title="',
      '">',
      '<script>',
      '</script>',
      '<a href="https://a.b/">',
      '</a>',
      "'",
      '"',
      '<!--',
      '-->',
    ],
    ...[
      '<object>',
      '<param name=a value="',
      '<svg>',
      'x',
      ' ',
      '<video src=https://a.b/ ',
      'onload=x ',
      '>',
      '/>',
      '<',
      '&lt;',
    ],
  )
  const allowed = ['object', 'param', 'embed', 'iframe', 'video', 'audio', 'source', 'a']
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const markup = pieces.join('')
      if (!embedMarkup().parse(markup).ok) return
      const names = [...JSON.stringify(toNames(parseFragment(markup))).matchAll(/"([^"]+)"/g)].map(
        ([, name]) => name ?? '',
      )
      expect(names.filter((name) => !allowed.includes(name))).toEqual([])
    }),
    { numRuns: runs(5000) },
  )
})

type Node = { readonly nodeName: string; readonly childNodes?: readonly Node[] }

function toNames(node: Node): unknown[] {
  const own = node.nodeName.startsWith('#') ? [] : [node.nodeName]
  return [...own, ...(node.childNodes ?? []).map(toNames)]
}
