/** `[start, end, text, voice?]`, in milliseconds. */
type ExpectedCue = readonly [number, number, string, string?]

/** A file of captions, and its cues or the problem with it. */
export interface CaptionFile {
  readonly name: string
  readonly text: string
  readonly cues?: readonly ExpectedCue[]
  readonly problem?: string
  /** What is counted as forgiven, where it is anything. */
  readonly forgiven?: { readonly [name: string]: number }
}

/** One cue or two, which most files of the tables have. */
export const hello: ExpectedCue = [1000, 2500, 'Hello']
export const world: ExpectedCue = [2500, 4000, 'World']

export const repeat = (count: number, toText: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => toText(i))
