import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readSiteSettings } from '../../src/serve/serve.ts'
import { readConfig } from '../../src/settings/config.ts'
import { createFolder, removeFolder } from '../harness/server.ts'

const folder = createFolder()
afterAll(() => removeFolder(folder))

function read(environment: Record<string, string>) {
  const result = readConfig(new Map(), environment)
  if (!result.ok) throw new Error(result.problems.join())
  return readSiteSettings(result.config)
}

describe('The settings of the site', () => {
  test('have working defaults', async () => {
    expect(await read({})).toEqual({
      name: 'Rostrum',
      accent: '#0b5fff',
      about: null,
      contact: null,
      imprintUrl: null,
      privacyUrl: null,
      playerHosts: [],
      hasThumbnails: true,
    })
  })

  test('come from the environment', async () => {
    const about = join(folder, 'about.md')
    await Bun.write(about, '\ufeff# Über uns\n')
    const environment = {
      ROSTRUM_SITE_NAME: ' Café des Talks ',
      ROSTRUM_ACCENT: '#A0f',
      ROSTRUM_ABOUT: about,
      ROSTRUM_CONTACT: 'archive+talks@example.org',
      ROSTRUM_IMPRINT: '/imprint?lang=de',
      ROSTRUM_PRIVACY: 'https://example.org/privacy',
      ROSTRUM_PLAYER_HOSTS: 'Tube.example.org, video.example.net:8443,tube.example.org',
      ROSTRUM_THUMBNAILS: 'off',
    }
    expect(await read(environment)).toEqual({
      name: 'Café des Talks',
      accent: '#aa00ff',
      about: '# Über uns\n',
      contact: 'archive+talks@example.org',
      imprintUrl: '/imprint?lang=de',
      privacyUrl: 'https://example.org/privacy',
      playerHosts: ['tube.example.org', 'video.example.net:8443'],
      hasThumbnails: false,
    })
  })

  test('are ignored with --site off', async () => {
    expect(await read({ ROSTRUM_SITE: 'off', ROSTRUM_ABOUT: join(folder, 'missing.md') })).toBeNull()
  })

  test.each([
    ['ROSTRUM_SITE', 'maybe'],
    ['ROSTRUM_SITE_NAME', ' '],
    ['ROSTRUM_SITE_NAME', 'a\nb'],
    ['ROSTRUM_SITE_NAME', 'x'.repeat(61)],
    ['ROSTRUM_ACCENT', 'red'],
    ['ROSTRUM_ACCENT', '#12345'],
    ['ROSTRUM_ACCENT', '#fff;}'],
    ['ROSTRUM_CONTACT', 'ann'],
    ['ROSTRUM_CONTACT', 'ann@example.org?subject=x'],
    ['ROSTRUM_CONTACT', 'ann@exa mple.org'],
    ['ROSTRUM_CONTACT', 'javascript:alert(1)'],
    ['ROSTRUM_CONTACT', 'https://ann:secret@example.org'],
    ['ROSTRUM_IMPRINT', '//example.org/imprint'],
    ['ROSTRUM_IMPRINT', '/\\example.org/imprint'],
    ['ROSTRUM_IMPRINT', '/\t/example.org/imprint'],
    ['ROSTRUM_IMPRINT', 'imprint'],
    ['ROSTRUM_IMPRINT', 'http:example.org'],
    ['ROSTRUM_PRIVACY', 'javascript:alert(1)'],
    ['ROSTRUM_PRIVACY', 'https://'],
    ['ROSTRUM_PRIVACY', `/${'x'.repeat(2048)}`],
    ['ROSTRUM_PLAYER_HOSTS', 'https://tube.example.org'],
    ['ROSTRUM_PLAYER_HOSTS', "tube.example.org 'unsafe-inline'"],
    ['ROSTRUM_PLAYER_HOSTS', 'tube.example.org; script-src *'],
    ['ROSTRUM_PLAYER_HOSTS', '*.example.org'],
    ['ROSTRUM_PLAYER_HOSTS', 'tube.example.org,,'],
    ['ROSTRUM_PLAYER_HOSTS', 'tube.example.org/x'],
    ['ROSTRUM_PLAYER_HOSTS', 'tube.example.org:0'],
    ['ROSTRUM_PLAYER_HOSTS', 'tube.example.org:99999'],
    ['ROSTRUM_PLAYER_HOSTS', 'tübe.example.org'],
    ['ROSTRUM_PLAYER_HOSTS', '-tube.example.org'],
    ['ROSTRUM_PLAYER_HOSTS', '1.2.3.4.5'],
    ['ROSTRUM_PLAYER_HOSTS', Array.from({ length: 51 }, (_, n) => `t${n}.example.org`).join()],
  ])('%s=%j is refused by name', (variable, value) => {
    const result = readConfig(new Map(), { [variable]: value })
    expect([result.ok, result.ok || result.problems.join()]).toEqual([false, expect.stringContaining(variable)])
  })

  test.each([
    ['ROSTRUM_SITE_NAME', '<b>&"\'', 'name', '<b>&"\''],
    ['ROSTRUM_SITE_NAME', '😀'.repeat(60), 'name', '😀'.repeat(60)],
    ['ROSTRUM_CONTACT', 'https://example.org/a b'.replace(' ', 'ü'), 'contact', 'https://example.org/a%C3%BCb'],
    ['ROSTRUM_IMPRINT', '/a"b', 'imprintUrl', '/a%22b'],
    ['ROSTRUM_PLAYER_HOSTS', '127.0.0.1:9000', 'playerHosts', ['127.0.0.1:9000']],
  ])('%s=%j is taken', async (variable, value, member, expected) => {
    expect(await read({ [variable]: value })).toMatchObject({ [member]: expected })
  })
})

describe('The file of --about', () => {
  const failing = async (bytes: Uint8Array | string) => {
    const path = join(folder, 'failing.md')
    await Bun.write(path, bytes)
    return read({ ROSTRUM_ABOUT: path })
  }

  test('must exist and be a file', async () => {
    const path = join(folder, 'folder.md')
    mkdirSync(path)
    await expect(read({ ROSTRUM_ABOUT: path })).rejects.toThrow('Cannot read the file of --about')
    await expect(read({ ROSTRUM_ABOUT: join(folder, 'missing.md') })).rejects.toThrow(/missing\.md does not exist/)
  })

  test('has at most 100 KB', async () => {
    expect(await failing('x'.repeat(102_400))).toMatchObject({ about: 'x'.repeat(102_400) })
    await expect(failing('x'.repeat(102_401))).rejects.toThrow('larger than 100 KB')
  })

  test('must be UTF-8', async () => {
    await expect(failing(new Uint8Array([0x61, 0xff]))).rejects.toThrow('not UTF-8')
  })

  test('counts as none if it is blank', async () => {
    expect(await failing(' \n')).toMatchObject({ about: null })
  })
})
