import { expect, test } from 'bun:test'
import { Fragment, jsx, render } from '../../src/site/jsx/jsx-runtime.ts'

test('texts and attributes are escaped, and what elements have returned is not', () => {
  const link = jsx('a', { href: '/?a="b"&c', children: '<b> & "c"' })
  expect(render(jsx('p', { children: [link, ' ', 1, false, null, undefined, '<'] }))).toBe(
    '<p><a href="/?a=&quot;b&quot;&amp;c">&lt;b> &amp; &quot;c&quot;</a> 1&lt;</p>',
  )
})

test('an object that looks like HTML is nothing', () => {
  for (const object of [{ text: '<b>' }, { type: 'b', props: {} }, { html: '<b>' }])
    expect(render(jsx('p', { children: object }))).toBe('<p></p>')
})

test('attributes without a value are left out, and a flag is its name', () => {
  const flags = {
    hidden: true,
    open: false,
    id: undefined,
    lang: null,
    title: '',
    'data-more': true,
    'aria-sort': false,
  }
  expect(render(jsx('details', flags))).toBe('<details hidden title data-more="true" aria-sort="false"></details>')
})

test('a text area has its text between the tags, and empty elements have no end', () => {
  expect(render(jsx('textarea', { value: '</textarea>' }))).toBe('<textarea>&lt;/textarea></textarea>')
  expect(render(jsx('img', { src: '/a.png', alt: '' }))).toBe('<img src="/a.png" alt/>')
})

test('components and fragments are their content', () => {
  const Pair = ({ children }: { readonly children?: unknown }) => Fragment({ children: [String(children), '!'] })
  expect(render(jsx(Pair, { children: 'a<b' }))).toBe('a&lt;b!')
  expect(render(jsx(() => null, {}))).toBe('')
})
