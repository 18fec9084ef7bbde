/** The operator's settings of the site. */
export interface SiteSettings {
  readonly name: string
  /** `#rrggbb`. */
  readonly accent: string
  /** Markdown; null if the operator has written nothing. */
  readonly about: string | null
  readonly contact: string | null
  readonly imprintUrl: string | null
  readonly privacyUrl: string | null
  /** Hosts of PeerTube instances whose players may be framed. */
  readonly playerHosts: readonly string[]
  readonly hasThumbnails: boolean
}
