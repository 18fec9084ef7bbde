/** Closes an open menu on Escape, or with a click or focus elsewhere. */
export function addMenus(): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.menu-button')) {
    const close = (event: Event) => {
      if (menu.open && !(event.target instanceof Node && menu.contains(event.target))) menu.open = false
    }
    document.addEventListener('click', close)
    document.addEventListener('focusin', close)
    menu.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !menu.open) return
      menu.open = false
      menu.querySelector('summary')?.focus()
    })
  }
}
