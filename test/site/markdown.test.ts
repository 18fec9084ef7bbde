import { describe, expect, test } from 'bun:test'
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import { createMarkdown, toExcerpt } from '../../src/site/text/markdown.ts'

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

  test('the closing tag of a heading is that of its beginning', () => {
    expect(render('#### a', { level: 2 })).toBe('<h2>a</h2>\n')
  })
})

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

  const repeated = [
    '[',
    '![',
    '[a](',
    '*a ',
    '*_',
    '`',
    '<',
    '&',
    '> ',
    '- ',
    '\n- ',
    'a\n',
    'http://',
    '|a|b|\n',
    '[a]: b\n',
  ]
  for (const part of repeated) {
    test(`of 100,000 characters is shown at once: ${JSON.stringify(part)}`, () => {
      for (const length of [9_999, 100_000]) {
        const text = part.repeat(length / part.length)
        const before = process.cpuUsage().user
        render(text)
        expect((process.cpuUsage().user - before) / 1000).toBeLessThan(500)
      }
    })
  }

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

test('a long text has no table, so that short lines do not fill up with thousands of cells', async () => {
  const render = await createMarkdown()()
  const table = `${'|a'.repeat(100)}\n${'|-'.repeat(100)}\n${'|b\n'.repeat(1_000)}`
  expect(render('|a|b|\n|-|-|\n|1|2|')).toContain('<td>')
  expect(render(table)).not.toContain('<td>')
  expect(render(table).length).toBeLessThan(50_000)
})

test('an excerpt keeps signs that belong to words', () => {
  expect(toExcerpt('Use **C#** and `snake_case`.', 100)).toBe('Use C# and snake_case.')
})
