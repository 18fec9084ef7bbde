/**
 * Sends again what was typed before a session ended, as soon as its owner has signed in. Not after Back or Reload: by
 * then it was sent.
 */
export function repeatForm(): void {
  const form = document.querySelector<HTMLFormElement>('form.edit-repeat')
  const [visit] = performance.getEntriesByType('navigation')
  if (form !== null && visit instanceof PerformanceNavigationTiming && visit.type === 'navigate') form.submit()
}
