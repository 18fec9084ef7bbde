/** Under these names browsers keep what is typed; a page that has them in `data-saved` removes it. */
export const toDraftKey = (id: number) => `video-${id}`

/** What is chosen on the conflict page. The draft of the form stays until everything is saved. */
export const toConflictKey = (id: number) => `video-${id}-conflict`
