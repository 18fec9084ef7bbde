/** Which records a caller sees: all, or those that are live. */
export type Visibility = 'all' | 'live'
