const shownMs = 2_000

/** Copies a text, and says so on the button for a moment. */
export async function copyText(button: HTMLElement, text: string): Promise<void> {
  const { done = '', failed = '' } = button.dataset
  const label = button.dataset.label ?? button.textContent ?? ''
  button.dataset.label = label
  const isCopied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  )
  button.textContent = isCopied ? done : failed
  setTimeout(() => {
    button.textContent = label
  }, shownMs)
}

/** Shows the buttons that copy a field. */
export function addCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLElement>('button[data-copy]')) {
    const field = document.getElementById(button.dataset.copy ?? '')
    if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) continue
    button.hidden = false
    button.addEventListener('click', () => {
      field.select()
      void copyText(button, field.value)
    })
  }
}
