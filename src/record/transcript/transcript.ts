/** What was said in a talk, in one language (contract, section 12). Times are whole milliseconds. */
export type Transcript = {
  readonly origin: Origin
  /** The program that created it: `whisper medium`. */
  readonly tool?: string
  /** In order of their starts. */
  readonly cues: readonly Cue[]
}

/** One caption. Its text may have several lines, and has no markup. */
export type Cue = {
  readonly start: number
  readonly end: number
  readonly text: string
  /** The speaker. */
  readonly voice?: string
}

/** `reviewed`: generated, then corrected by a person. */
export const origins = ['human', 'machine', 'reviewed', 'translated'] as const
export type Origin = (typeof origins)[number]

export const maxCues = 50_000
/** Characters of a cue. */
export const maxCueLength = 2000
export const maxMs = 24 * 3_600_000
export const maxTool = 100
export const maxVoice = 255
