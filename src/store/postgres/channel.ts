/** Where nodes hear of changes: `<record> <seq>`, `tokens`, or `changes` for all that has no number of its own. */
export const changesChannel = 'rostrum'
