/** How many of our files one request may run, by the name of its path; test/structure-budget.test.ts allows 10 % more. */
export const budgets: { readonly [path: string]: number } = {
  'GET item, hot': 16,
  // 65 before the page had cards for what a search names, and a menu to subscribe; 70 before it found what was said;
  // 74 before talks had states of addresses, and a series of events led to its editions.
  'page of a search': 79,
  // 65 before its page said who changed each field since, and when; 68 before versions could be about companions,
  // 70 before these could be transcripts.
  'save with a conflict': 71,
  // 42 before findings could be accepted, tokens be limited to events, and names of several people be found;
  // 47 before addresses had states.
  PATCH: 48,
}

/** The most files that a path may run; null without a budget. */
export function findLimit(path: string): number | null {
  const budget = budgets[path]
  return budget === undefined ? null : Math.floor(budget * 1.1)
}
