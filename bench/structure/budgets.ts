/** How many of our files one request may run, by the name of its path; test/structure-budget.test.ts allows 10 % more. */
export const budgets: { readonly [path: string]: number } = {
  'GET record, hot': 12,
  // Runs 82: 17 of http/ and serve/ receive, forward and answer the request, 18 of site/ build the page, 14 of record/ read
  // what was typed, 32 of store/ find the talks and what else the words name (events, a series, passages, dead links).
  // 79 before cards, menus and search tokens each became one file.
  'page of a search': 76,
  // Runs 75: 25 of http/ and serve/, 19 of edit/ and site/ build the page, 18 of record/, 12 of store/.
  // 71 before a save and its conflict became one file.
  'save with a conflict': 70,
  // Runs 48: 22 of http/ and serve/, 2 of api/, 12 of record/ judge the change, 11 of store/ write it.
  // 48 before callers stood beside their calls, and accepted findings beside the rows of records.
  PATCH: 45,
}

/** The most files that a path may run; null without a budget. */
export function findLimit(path: string): number | null {
  const budget = budgets[path]
  return budget === undefined ? null : Math.floor(budget * 1.1)
}
