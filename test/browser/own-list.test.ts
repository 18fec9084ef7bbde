import { expect, test } from 'bun:test'
import { findViolations } from './axe.ts'
import { testTimeoutMs, useViewer } from './viewer.ts'

// Runner: slow

const viewer = useViewer()

const read = (key: string) => viewer.page().evaluate(`JSON.parse(localStorage.getItem('rostrum.${key}'))`)
const toId = (url: string) => Number(/video\/(\d+)/.exec(url)?.[1])
const button = (name: string) => viewer.page().getByRole('button', { name, exact: true })
const heading = (name: string) => viewer.page().getByRole('heading', { name, level: 1 })
const listOf = (url: string) => new URL(url).search

test(
  'a list is kept in the browser, has an address, and can be opened in another browser',
  async () => {
    const urls = [await viewer.create({ title: 'Kept one' }), await viewer.create({ title: 'Kept two' })]
    const [first = '', second = ''] = urls
    for (const url of urls) {
      await viewer.page().goto(url)
      await button('Watch later').click()
      expect(await button('Watch later').getAttribute('aria-pressed')).toBe('true')
    }
    const address = `?ids=${toId(second)},${toId(first)}`
    await viewer.page().getByRole('link', { name: 'Watch later, talks: 2' }).click()
    await viewer.page().waitForURL(`**/list${address}`)
    await heading('Watch later').waitFor()
    expect(await viewer.page().title()).toStartWith('Watch later')
    expect(await viewer.page().context().cookies()).toEqual([])
    const list = viewer.page().url()
    await button('Copy link').click()
    await button('Copied').waitFor()
    expect(await viewer.page().evaluate('navigator.clipboard.readText()')).toBe(list)

    await viewer.open()
    await viewer.page().goto(list)
    await heading('List of talks').waitFor()
    expect(await viewer.page().getByText('Your list is stored').isVisible()).toBe(false)
    await button('Add these to my list').click()
    await viewer.page().getByText('Your list is stored').waitFor()
    expect(await read('later')).toEqual([toId(second), toId(first)])
    expect(await findViolations(viewer.page())).toEqual([])

    await button('Remove Kept two').click()
    await viewer.page().waitForURL(`**/list?ids=${toId(first)}`)
    expect(listOf(viewer.page().url())).toBe(`?ids=${toId(first)}`)
    await button('Clear list').click()
    await viewer.page().getByText('Your list is empty.').waitFor()
    expect(await read('later')).toEqual([])
  },
  testTimeoutMs,
)

test(
  'removing talks from one’s own list, and emptying it, can be undone until the list changes otherwise',
  async () => {
    const urls = [await viewer.create({ title: 'Back one' }), await viewer.create({ title: 'Back two' })]
    const ids = urls.map(toId)
    await viewer.page().goto(new URL(`/list?ids=${ids.join(',')}`, urls[0]).href)
    await button('Add these to my list').click()
    await heading('Watch later').waitFor()
    expect(await button('Undo').count()).toBe(0)
    await button('Remove Back one').click()
    await viewer.page().waitForURL(`**/list?ids=${ids[1]}`)
    await button('Undo').click()
    await viewer.page().waitForURL(`**/list?ids=${ids.join(',')}`)
    await button('Clear list').click()
    await viewer.page().getByText('Your list is empty.').waitFor()
    await button('Undo').click()
    await viewer.page().waitForURL(`**/list?ids=${ids.join(',')}`)
    expect(await read('later')).toEqual(ids)

    await button('Remove Back one').click()
    await viewer.page().waitForURL(`**/list?ids=${ids[1]}`)
    await viewer.page().goto(urls[1] ?? '')
    await button('Watch later').click()
    await viewer.page().goto(new URL('/list', urls[0]).href)
    await viewer.page().getByText('Your list is empty.').waitFor()
    expect(await button('Undo').count()).toBe(0)
  },
  testTimeoutMs,
)

test(
  'a talk is marked as watched, by hand or at its end, and its cards show it',
  async () => {
    const file = { video_webm_url: `${viewer.media().url}/clip.webm`, duration: 20, category: 'Marked' }
    const [first, second] = [
      await viewer.create({ ...file, title: 'Marked by hand' }),
      await viewer.create({ ...file, title: 'Played to the end' }),
    ]
    await viewer.page().goto(first)
    await button('Mark as watched').click()
    await viewer.page().goto(second)
    await viewer.page().keyboard.press('k')
    await viewer.waitFor("document.querySelector('video').readyState > 1")
    await viewer.page().evaluate("document.querySelector('video').currentTime = 1e6")
    await button('Watched').waitFor()
    expect(await read('watched')).toEqual([toId(second), toId(first)])
    const category = new URL('/category/marked', second).href
    await viewer.page().goto(category)
    expect(await viewer.page().locator('.watched-mark:visible').count()).toBe(2)
    await viewer.page().locator('.talk-card').first().hover()
    await viewer.page().locator('.card-later').first().click()
    expect(await read('later')).toHaveLength(1)
    expect(viewer.page().url()).toBe(category)
    expect(await findViolations(viewer.page())).toEqual([])
  },
  testTimeoutMs,
)

/** What the marks of watched talks lie on: labels, years and lengths of pictures. */
const findCovered = `[...document.querySelectorAll('.talk-card')].flatMap((card) => {
  const mark = card.querySelector('.watched-mark').getBoundingClientRect()
  const isCovered = ({ left, right, top, bottom }) =>
    left < mark.right && right > mark.left && top < mark.bottom && bottom > mark.top
  const parts = [...card.querySelectorAll('.generated span, .badge, .length')]
  return parts.filter((part) => isCovered(part.getBoundingClientRect())).map((part) => part.textContent)
})`

/** Labels with letters that reach below their box, which cuts them off. */
const findCutLabels = `[...document.querySelectorAll('.generated span')].flatMap((label) => {
  const text = document.createRange()
  text.selectNodeContents(label)
  const isCut = text.getBoundingClientRect().bottom > label.getBoundingClientRect().bottom
  return isCut ? [label.textContent] : []
})`

test(
  'a mark covers nothing else on a picture, and the label of the picture is not cut off',
  async () => {
    const talk = { category: 'Gypsy Jay Days', speakers: ['Kay Marked'], recorded: '2020-05-01', duration: 5_400 }
    const url = await viewer.create({ ...talk, title: 'Covered' })
    await viewer.page().goto(url)
    await button('Mark as watched').click()
    await viewer.page().getByRole('link', { name: 'Kay Marked' }).first().click()
    await viewer.page().locator('.watched-mark:visible').waitFor()
    for (const width of [1280, 390]) {
      await viewer.page().setViewportSize({ width, height: 800 })
      expect([width, await viewer.page().evaluate(findCovered)]).toEqual([width, []])
      expect([width, await viewer.page().evaluate(findCutLabels)]).toEqual([width, []])
    }
  },
  testTimeoutMs,
)

test(
  'a list that is full says so',
  async () => {
    const url = await viewer.create({ title: 'One too many' })
    await viewer.page().goto(url)
    await viewer
      .page()
      .evaluate("localStorage.setItem('rostrum.later', JSON.stringify([...Array(100).keys()].map((i) => i + 9000)))")
    await viewer.page().reload()
    await button('Watch later').click()
    await button('Your list is full (100)').waitFor()
    expect(await read('later')).toHaveLength(100)
  },
  testTimeoutMs,
)

test(
  'a list is a plain page without a script',
  async () => {
    const url = await viewer.create({ title: 'Plainly listed' })
    await viewer.open({ javaScriptEnabled: false })
    await viewer.page().goto(new URL(`/list?ids=${toId(url)}`, url).href)
    await viewer.page().getByText('Plainly listed').first().waitFor()
    for (const name of ['Add these to my list', 'Clear list', 'Copy link', 'Remove Plainly listed'])
      expect(await button(name).count()).toBe(0)
    await viewer.page().getByText('Subscribe').click()
    expect(await viewer.page().getByRole('link', { name: 'Feed', exact: true }).first().isVisible()).toBe(true)
  },
  testTimeoutMs,
)
