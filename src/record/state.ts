/** The values of `state`. */
export const live = 1
export const draft = 2
