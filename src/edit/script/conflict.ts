/** Typing into the text of a conflict chooses it. */
export function addConflictChoices(): void {
  for (const side of document.querySelectorAll<HTMLElement>('.conflict .is-edited')) {
    const radio = side.querySelector<HTMLInputElement>('input[type=radio]')
    side.addEventListener('input', (event) => {
      if (radio !== null && event.target !== radio) radio.checked = true
    })
  }
}
