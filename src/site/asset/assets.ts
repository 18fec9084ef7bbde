import { type CodedBody, createCodedBody } from '../../http/compression.ts'
import type { SiteSettings } from '../site-settings.ts'
import { toAccentColours } from './accent.ts'

/** The files of the site under their current names, which contain a part of the content hash. */
export interface Assets {
  readonly css: string
  readonly script: string
  /** For pages of curators, in addition. */
  readonly editCss: string
  readonly editScript: string
  readonly icon: string
  /** Of feeds, for people who open one in a browser. */
  readonly feedCss: string
  /** Null if no asset has this name with any hash. */
  find(name: string): FoundAsset | null
}

/** Builds the files at the first request. */
export interface AssetLoader {
  load(): Promise<Assets>
}

interface FoundAsset extends CodedBody {
  readonly type: string
  /** Whether the name has the hash of this content. Pages of another release ask for another hash. */
  readonly isCurrent: boolean
}

/** Builds the assets at the first request; a failed build is retried. */
export function createAssetLoader(settings: SiteSettings): AssetLoader {
  let loading: Promise<Assets> | null = null
  return {
    load() {
      loading ??= loadAssets(settings).catch((error) => {
        loading = null
        throw error
      })
      return loading
    },
  }
}

async function loadAssets(settings: SiteSettings): Promise<Assets> {
  const { readAssetFiles } = await import('./asset-files.ts')
  const { css, script, editCss, editScript, feedCss } = await readAssetFiles()
  const files = {
    css: createAsset('site.css', 'text/css; charset=utf-8', toTheme(settings.accent) + css),
    script: createAsset('site.js', 'text/javascript; charset=utf-8', script),
    editCss: createAsset('edit.css', 'text/css; charset=utf-8', editCss),
    editScript: createAsset('edit.js', 'text/javascript; charset=utf-8', editScript),
    // Namespaces come first in a style sheet.
    feedCss: createAsset('feed.css', 'text/css; charset=utf-8', feedCss + toTheme(settings.accent)),
    icon: createAsset('icon.svg', 'image/svg+xml', toIcon(settings.accent)),
  }
  return {
    css: files.css.servedAs,
    script: files.script.servedAs,
    editCss: files.editCss.servedAs,
    editScript: files.editScript.servedAs,
    icon: files.icon.servedAs,
    feedCss: files.feedCss.servedAs,
    find(name) {
      const [, stem, ending] = /^(\w+)-[0-9a-f]{8}\.(\w+)$/.exec(name) ?? []
      const asset = Object.values(files).find((file) => file.name === `${stem}.${ending}`)
      return asset === undefined ? null : { type: asset.type, isCurrent: asset.servedAs === name, read: asset.read }
    },
  }
}

function toTheme(accent: string): string {
  const { light, dark } = toAccentColours(accent)
  return `:root{--accent:${light}}@media(prefers-color-scheme:dark){:root{--accent:${dark}}}`
}

function createAsset(name: string, type: string, text: string) {
  const content = Buffer.from(text)
  const hash = Bun.hash(content).toString(16).padStart(16, '0').slice(0, 8)
  return {
    ...{ name, type },
    /** `site.css` -> `site-1a2b3c4d.css` */
    servedAs: name.replace('.', `-${hash}.`),
    ...createCodedBody(content),
  }
}

/** A lectern with a microphone, on a tile of the accent colour. */
function toIcon(accent: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="${accent}"/>
<path d="M8 13h16l-2 5H10zM14 18h4v6h4v2H10v-2h4z" fill="#fff"/>
<path d="M20.500 13 17 7.500" stroke="#fff" stroke-width="1.800" stroke-linecap="round"/>
<circle cx="16.600" cy="6.800" r="2" fill="#fff"/>
</svg>`
}
