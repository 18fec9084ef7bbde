import { expect, test } from 'bun:test'
import { findViolations } from './axe.ts'
import { testTimeoutMs, useViewer } from './viewer.ts'

// Runner: long, slow

const viewer = useViewer()

const heading = () => viewer.page().locator('h1').innerText()

/** Opens a path of the site; returns the status, and the path that it led to. */
async function open(url: string, path: string): Promise<readonly [number | undefined, string]> {
  const response = await viewer.page().goto(new URL(path, url).href)
  return [response?.status(), new URL(viewer.page().url()).pathname]
}

test(
  'addresses of a static site, shortened and guessed addresses open the right page',
  async () => {
    const url = await viewer.create({
      ...{ title: 'Tides, or: why we wait', category: 'Jetty.Conf 2018', speakers: ['Mo Fisher'], tags: ['tides'] },
    })
    const { pathname } = new URL(url)
    for (const path of ['/jettyconf-2018/tides-or-why-we-wait.html', '/jetty-conf-2018/tides-or-why-we-wait']) {
      expect([path, ...(await open(url, path))]).toEqual([path, 200, pathname])
      expect(await heading()).toBe('Tides, or: why we wait')
    }
    for (const path of ['/jettyconf-2018', '/jetty-conf-2018/', '/events/jettyconf-2018.html']) {
      expect([path, ...(await open(url, path))]).toEqual([path, 200, '/category/jetty-conf-2018'])
      expect(await heading()).toBe('Jetty.Conf 2018')
    }
    for (const [path, title] of [
      ['/speaker/mo-fisher.html', 'Mo Fisher'],
      ['/tag/tides/', 'tides'],
      ['/events', 'Events'],
      ['/speakers', 'Speakers'],
      ['/tags', 'Tags'],
      ['/statistics', 'Statistics'],
    ] as const) {
      await open(url, path)
      expect([path, await heading()]).toEqual([path, title])
    }
  },
  testTimeoutMs,
)

test(
  'a page that does not exist says so and offers talks, or a search',
  async () => {
    const url = await viewer.create({ title: 'Buoys that ring at night', category: 'Jetty.Conf 2018' })
    expect(await open(url, '/talks/buoys-that-ring')).toEqual([404, '/talks/buoys-that-ring'])
    expect(await viewer.page().getByText('This page does not exist. Try a search.').isVisible()).toBe(true)
    expect(await viewer.page().locator('main input[type=search]').inputValue()).toBe('buoys that ring')
    expect(await findViolations(viewer.page())).toEqual([])
    await viewer.page().getByRole('link', { name: 'Buoys that ring at night' }).click()
    await viewer.page().waitForURL(url)

    expect((await open(url, '/kelp-farming'))[0]).toBe(404)
    expect(await viewer.page().locator('.talk-card').count()).toBe(0)
    await viewer.page().locator('main input[type=search]').fill('buoys')
    await viewer.page().keyboard.press('Enter')
    await viewer.page().waitForURL('**/search?q=buoys')
  },
  testTimeoutMs,
)

test(
  'a withdrawn talk leads to the one that replaced it',
  async () => {
    const source = 'https://www.youtube.com/watch?v=fogfogfog01'
    const fields = { category: 'Jetty.Conf 2018', source_url: source }
    const gone = await viewer.create({ ...fields, title: 'Fog horns (bad sound)' })
    const kept = await viewer.create({ ...fields, title: 'Fog horns' })
    await viewer.withdraw(gone)
    expect((await open(gone, new URL(gone).pathname))[0]).toBe(410)
    expect(await viewer.page().getByText('This talk was withdrawn from the archive.').isVisible()).toBe(true)
    expect(await findViolations(viewer.page())).toEqual([])
    const section = viewer.page().locator('section', { hasText: 'This talk is now here' })
    await section.getByRole('link', { name: 'Fog horns', exact: true }).click()
    await viewer.page().waitForURL(kept)
  },
  testTimeoutMs,
)
