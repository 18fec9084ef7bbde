import { readFile, stat } from 'node:fs/promises'
import { CommandFailure, exitCodes } from '../command-failure.ts'
import { toErrorCode } from '../error-code.ts'
import type { Config } from '../settings/config.ts'
import type { SiteSettings } from '../site/site-settings.ts'

const maxAboutBytes = 100 * 1024

type SiteConfig = Pick<
  Config,
  'site' | 'siteName' | 'accent' | 'about' | 'contact' | 'imprintUrl' | 'privacyUrl' | 'playerHosts' | 'hasThumbnails'
>

/** The settings of the site, with the text of `--about`; null with `--site off`. */
export async function readSiteSettings(config: SiteConfig): Promise<SiteSettings | null> {
  if (!config.site) return null
  const { siteName: name, accent, contact, imprintUrl, privacyUrl, playerHosts, hasThumbnails } = config
  const about = config.about === null ? null : await readAbout(config.about)
  return { name, accent, about, contact, imprintUrl, privacyUrl, playerHosts, hasThumbnails }
}

/** Null for a blank file. */
async function readAbout(path: string): Promise<string | null> {
  const bytes = await readSmallFile(path)
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.trim() === '' ? null : text
  } catch {
    throw toFailure(`${path}: it is not UTF-8`)
  }
}

async function readSmallFile(path: string): Promise<Uint8Array> {
  try {
    const info = await stat(path)
    if (!info.isFile()) throw toFailure(`${path}: it is not a file`)
    if (info.size > maxAboutBytes) throw toFailure(`${path}: it is larger than ${maxAboutBytes / 1024} KB`)
    return await readFile(path)
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    const code = toErrorCode(error)
    throw toFailure(`${path}: ${code === 'ENOENT' ? 'it does not exist' : code}`)
  }
}

function toFailure(why: string): CommandFailure {
  return new CommandFailure(exitCodes.config, `The file of --about cannot be read: ${why}.`)
}
