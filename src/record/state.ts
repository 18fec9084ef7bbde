/** The values of `state`. */
export const live = 1
export const draft = 2

/** Which records a caller sees: all, or those that are live. */
export type Visibility = 'all' | 'live'
