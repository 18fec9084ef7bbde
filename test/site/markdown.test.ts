import { describe, expect, test } from 'bun:test'
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import { createMarkdown, toExcerpt } from '../../src/site/text/markdown.ts'
import { OutOfTime } from '../../src/store/read/statements.ts'

const render = await createMarkdown()()

describe('Markdown', () => {
  const rendered: readonly (readonly [string, string])[] = [
    ['*a* **b** `c`', '<p><em>a</em> <strong>b</strong> <code>c</code></p>'],
    ['- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
    ['<b>x</b>', '<p>&lt;b&gt;x&lt;/b&gt;</p>'],
    ['[a](https://example.org)', '<p><a href="https://example.org" rel="nofollow noopener ugc">a</a></p>'],
    [
      'see https://example.org/x.',
      '<p>see <a href="https://example.org/x" rel="nofollow noopener ugc">https://example.org/x</a>.</p>',
    ],
    ['![a picture](https://example.org/a.png)', '<p>a picture</p>'],
    [
      '[![a](https://example.org/a.png)](https://example.org)',
      '<p><a href="https://example.org" rel="nofollow noopener ugc">a</a></p>',
    ],
    ['[a](/edit)', '<p>[a](/edit)</p>'],
    ['[a](mailto:ann@example.org)', '<p>[a](mailto:ann@example.org)</p>'],
    ['Speaker: Ann\nRoom: 3', '<p>Speaker: Ann<br>\nRoom: 3</p>'],
  ]
  for (const [text, html] of rendered) {
    test(`${JSON.stringify(text)} is shown as ${html}`, () => {
      expect(render(text).trim()).toBe(html)
    })
  }

  test('text that was wrapped at a column flows', () => {
    const line = 'words and words and words and words and words and words and words'
    expect(render(`${line}\n${line}\n${line}`)).not.toContain('<br>')
  })

  test('headings begin at the given level and leave none out', () => {
    const levels = (text: string, level: number) =>
      [...render(text, { level }).matchAll(/<(h\d)>/g)].map(([, tag]) => tag)
    expect(levels('# a\n\n### b\n\n##### c\n\n## d\n\n# e', 2)).toEqual(['h2', 'h3', 'h4', 'h3', 'h2'])
    expect(levels('##### a\n\n###### b\n\n# c', 3)).toEqual(['h3', 'h4', 'h3'])
    expect(levels('# a\n## b\n### c\n#### d\n##### e', 4)).toEqual(['h4', 'h5', 'h6', 'h6', 'h6'])
  })

  test('a heading closes with the tag that opens it', () => {
    expect(render('#### a', { level: 2 })).toBe('<h2>a</h2>\n')
  })
})

/** Texts of any length that are slow to parse, or become long. */
const bombs: { readonly [name: string]: (length: number) => string } = {
  ...Object.fromEntries(
    [
      ...['[', '![', '[a](', '[a](<b', '[a](b "', '[](http://a)', '[a]: b\n', '[a]: b "\n', '[a]: http://b "'],
      ...['*a ', '*_', '*a*', '*a **a ', '_a__ ', '~~a~~', '`', '`a` ', '```\n', '> ```\n', '<', '<a ', '<http://a>'],
      ...['&', '"', '&amp;', '&NotEqualTilde;', '\\', '\\\n', '> ', '>', `${'>'.repeat(20)}a\n\n`, '>- ', '> a\nb\n'],
      ...['- ', '\n- ', '-\n', '+\n-\n', '- >\n', '1. ', `${'- '.repeat(12)}a\n\n`, '#\n', '***\n', 'a\n-\n', 'a\n'],
      ...[
        'a\n\n',
        '    a\n\nb\n\n',
        '\n',
        '\t- ',
        'http://',
        'http://a ',
        'http://a/(',
        'http://ä/ä ',
        '//a.b/',
        'a@b.c ',
      ],
      ...['|', '|a|b|\n', 'a|b\n-|-\n\n', '- a|b\n  -|-\n  a\n', '|\r', 'a|\n-|\n'],
    ].map((part) => [JSON.stringify(part), (length: number) => part.repeat(length / part.length + 1)]),
  ),
  'a table of short rows': (length) =>
    `${'|a'.repeat(length / 10)}\n${'|-'.repeat(length / 10)}\n${'a\n'.repeat(length)}`,
  'a table with other line ends': (length) =>
    `${'|a'.repeat(length / 10)}\r${'|-'.repeat(length / 10)}\r${'a\r'.repeat(length)}`,
  'one address of many links': (length) => `[a]: http://a/${'ä'.repeat(length / 2)}\n\n${'[a]'.repeat(length)}`,
  'one title of many links': (length) => `[a]: http://a "${'<&'.repeat(length / 4)}"\n\n${'[a]'.repeat(length)}`,
  'addresses by the thousand': (length) => Array.from({ length: length / 10 }, (_, i) => `[${i}]: http://a\n`).join(''),
  'more and more backticks': (length) => Array.from({ length: length / 20 }, (_, i) => `${'`'.repeat(i)}e`).join(''),
  'brackets in brackets': (length) => '['.repeat(length / 2) + ']'.repeat(length / 2),
  'links in links': (length) => `${'['.repeat(length / 5)}a${'](http://b)'.repeat(length)}`,
  'emphasis in emphasis': (length) => '**a *'.repeat(length / 10) + 'a* b**'.repeat(length),
  'deeper and deeper lists': (length) =>
    Array.from({ length: length / 60 }, (_, i) => `${' '.repeat(2 * (i % 60))}- a\n`).join(''),
}

describe('A hostile text', () => {
  const scripts = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[a](javascript:alert(1))',
    '[a](JaVaScRiPt:alert(1))',
    '[a](&#106;avascript:alert(1))',
    '[a](java\tscript:alert(1))',
    '[a](data:text/html;base64,PHNjcmlwdD4=)',
    '[a](vbscript:x)',
    '<javascript:alert(1)>',
    '[a]: javascript:alert(1)\n\n[a]',
    '[a](https://example.org "\\" onmouseover=\\"alert(1)")',
    '[a](https://example.org/"onmouseover="alert(1))',
    '![x](https://evil.example/"onload="alert(1))',
    '`<script>alert(1)</script>`',
    '```<script>\n</code></pre><script>alert(1)</script>\n```',
    '```"><img src=x onerror=alert(1)>\nx\n```',
    '<a href="javascript:alert(1)">x</a>',
    '<!--<script>-->',
    '<![CDATA[<script>alert(1)</script>]]>',
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    '[a](https://user:pass@example.org/%0d%0aSet-Cookie:x)',
    '# <svg onload=alert(1)>',
    '|a|b|\n|:-:|--:|\n|1|2|',
    '| <img src=x> |\n|---|\n| <iframe src=//evil.example> |',
  ]
  const allowed = new Set(
    'p a em strong code pre ul ol li br hr div h2 h3 h4 h5 h6 blockquote table thead tbody tr th td s'.split(' '),
  )
  for (const text of scripts) {
    test(`runs and loads nothing: ${JSON.stringify(text)}`, () => {
      for (const { tag, attributes } of listElements(render(text))) {
        expect(allowed).toContain(tag)
        for (const { name, value } of attributes) {
          expect(['href', 'rel', 'title', 'class', 'start', 'tabindex', 'role', 'aria-label']).toContain(name)
          if (name === 'href') expect(value).toMatch(/^https?:\/\//)
          if (name === 'rel') expect(value).toBe('nofollow noopener ugc')
        }
      }
    })
  }

  for (const [name, make] of Object.entries(bombs)) {
    test(`is shown at once, in HTML of bounded length: ${name}`, () => {
      for (const length of [1_999, 4_999, 9_999, 100_000]) {
        const text = make(length).slice(0, length)
        const before = process.cpuUsage().user
        const html = render(text)
        expect((process.cpuUsage().user - before) / 1000).toBeLessThan(1_000)
        expect(html.length).toBeLessThanOrEqual(10 * length + 2_000)
      }
    })
  }

  test.each([
    ['quotes', '> '],
    ['quotes without spaces', '>'],
    ['lists', '- '],
    ['numbered lists', '1. '],
    ['lists in quotes', '> - '],
  ])('keeps what is deep inside %s', (_, part) => {
    for (const times of [5, 10, 20, 50, 200]) expect(toText(render(`${part.repeat(times)}inside`))).toContain('inside')
  })

  test.each([
    ['wide tables', `${'a|'.repeat(60)}\n${'-|'.repeat(60)}${'\nfirst\nlast|one\n'.repeat(20)}`],
    ['tables with other line ends', `${'|a'.repeat(200)}\r${'|-'.repeat(200)}\r${'last\r'.repeat(100)}`],
    ['links to one long address', `[last]: https://example.org/${'x'.repeat(900)}\n\n${'[last]'.repeat(100)}`],
    ['emphasis', `${'*a **b '.repeat(200)}last${'c** d*'.repeat(200)}`],
  ])('keeps the words of %s', (_, text) => {
    const html = render(text)
    expect(html.length).toBeLessThanOrEqual(10 * text.length + 2_000)
    expect(toText(html)).toContain('last')
  })

  test('that is too long for Markdown keeps its words and lines, escaped', () => {
    const text = `one <b>\ntwo\n\n${'x'.repeat(20_000)}`
    expect(render(text)).toStartWith('<p class="plain">one &lt;b&gt;\ntwo</p>\n<p class="plain">xxx')
  })
})

describe('An excerpt', () => {
  test('is one line without markup', () => {
    expect(toExcerpt('# A *talk*\n\nabout [links](https://example.org) and `code`', 200)).toBe(
      'A talk about links and code',
    )
  })

  test('ends after a word', () => {
    expect(toExcerpt('one two three four', 10)).toBe('one two…')
    expect(toExcerpt('x'.repeat(30), 10)).toBe(`${'x'.repeat(10)}…`)
  })
})

type Node = DefaultTreeAdapterTypes.ChildNode

const toText = (html: string) => toTextOf(parseFragment(html).childNodes)
const toTextOf = (nodes: readonly Node[]): string =>
  nodes.map((node) => ('value' in node ? node.value : 'childNodes' in node ? toTextOf(node.childNodes) : '')).join('')
type Element = {
  readonly tag: string
  readonly attributes: readonly { readonly name: string; readonly value: string }[]
}

function listElements(html: string): readonly Element[] {
  const list = (node: Node): readonly Element[] => [
    ...('tagName' in node ? [{ tag: node.tagName, attributes: node.attrs }] : []),
    ...('childNodes' in node ? node.childNodes.flatMap(list) : []),
  ]
  return parseFragment(html).childNodes.flatMap(list)
}

test('a text has tables, unless short lines would fill up with a thousand cells', () => {
  const toTable = (columns: number, rows: number) =>
    `${'|a'.repeat(columns)}\n${'|-'.repeat(columns)}\n${'|b\n'.repeat(rows)}`
  expect(render(`${'A talk about tables. '.repeat(200)}\n\n${toTable(6, 100)}`)).toContain('<td>')
  expect(render(toTable(100, 100))).not.toContain('<td>')
})

test('a request that is out of time renders no further text', async () => {
  let left = 2
  const late = await createMarkdown(() => {
    if (left-- === 0) throw new OutOfTime()
  })()
  expect([late('a'), late('b')]).toEqual(['<p>a</p>\n', '<p>b</p>\n'])
  expect(() => late('c')).toThrow(OutOfTime)
})

test('an excerpt keeps signs that belong to words', () => {
  expect(toExcerpt('Use **C#** and `snake_case`.', 100)).toBe('Use C# and snake_case.')
})

describe('Times in the text of a talk', () => {
  const inTalk = (text: string) => render(text, { length: 3_600 })

  test.each([
    ['19:18 -- Looping over lists', '<p><a href="?t=1158">19:18</a> -- Looping over lists</p>'],
    ['- 0:05 Hello\n- [59:59] The end', '<li><a href="?t=5">0:05</a> Hello</li>'],
    ['0:59:01 in hours', '<p><a href="?t=3541">0:59:01</a> in hours</p>'],
    ['(12:34) **Bold**', '(<a href="?t=754">12:34</a>) <strong>Bold</strong>'],
    ['Ann Bell 5:24\nCy Dahl 10:23', 'Ann Bell <a href="?t=324">5:24</a><br>\nCy Dahl <a href="?t=623">10:23</a>'],
    ['00:00 Intro 00:25 First', '<a href="?t=0">00:00</a> Intro <a href="?t=25">00:25</a> First'],
    ['0:10 a <b>', '<a href="?t=10">0:10</a> a &lt;b&gt;'],
  ])('lead there: %j', (text, html) => {
    expect(inTalk(text)).toContain(html)
  })

  test.each([
    '1:02:03 is later than the end',
    'The session begins at 11:00 in the hall.',
    'Fri Sep 10 09:30:00 2021 at the hall',
    '10:30 am',
    '1:75 is no time',
    '12:345',
    'Version 1.12:30',
    '`12:34` is code',
    '```\n12:34 code\n```',
  ])('stay text: %j', (text) => {
    expect(inTalk(text)).not.toContain('<a')
  })

  test('stay as they are in links', () => {
    expect(inTalk('[12:34 there](https://example.org/)')).not.toContain('?t=')
    expect(inTalk('12:00 https://example.org/12:34')).toBe(
      '<p><a href="?t=720">12:00</a> <a href="https://example.org/12:34" rel="nofollow noopener ugc">https://example.org/12:34</a></p>\n',
    )
  })

  test('are text where the length is unknown', () => {
    expect(render('0:10 Hello')).toBe('<p>0:10 Hello</p>\n')
  })
})
