/** What a sample clip shows; scripts/sample-clip draws it. */
export interface Scene {
  readonly seconds: number
  readonly width: number
  readonly height: number
  readonly colours: Colours
  readonly title: string
  readonly subtitle: string
  readonly closing: string
}

export interface Colours {
  readonly ground: string
  readonly floor: string
  readonly seat: string
  readonly taken: string
  readonly accent: string
  readonly text: string
}
