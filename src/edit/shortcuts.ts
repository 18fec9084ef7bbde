/** One shortcut for nine keys. */
export const digitKeys = '1–9'

/**
 * Every shortcut of the pages for curators: the one source of the help overlay, of the page `/edit/keys` and of the
 * script that handles keys (edit/script/keys.ts). Pages take part through attributes:
 *
 * - `data-key="h"` on a link or button: the key clicks it. On a field: the key focuses it. Two keys, pressed one after
 *   the other, are separated by a space: `data-key="g l"`. Keys that are not in this table do nothing.
 * - `data-key="Ctrl+Enter"` or `"Ctrl+Shift+Enter"` on a submit button: pressed with Control or Command, also while typing.
 *   Ctrl+S needs no attribute: it presses the first button of `form[data-kept-as]`.
 * - `data-row` on each row of a list; rows of an `.edit-table` that have a link need none: `j` and `k` move the focus to
 *   the first link of the next or previous row, `x` ticks the row's checkbox, `o` follows the link, and so does Enter,
 *   as on any link. A `data-key` inside the current row comes before all others. A digit chooses the row's radio button
 *   at this position.
 *
 * Single keys act only while nobody types, no dialog is open, and the visitor has not switched them off.
 */
export const shortcutGroups: readonly ShortcutGroup[] = [
  {
    title: 'Everywhere',
    shortcuts: [
      { keys: '?', does: 'Show or hide this help', action: 'help' },
      {
        keys: '/',
        does: 'Go to the search box of the page',
        action: 'press',
        selector: 'main :is([type=search], #address)',
      },
      { keys: 'u', does: 'Undo the last change, if a notice offers it', action: 'press' },
      { keys: 'g l', does: 'Go to the work lists', action: 'press' },
      { keys: 'g t', does: 'Go to “New talk”', action: 'press' },
      { keys: 'g n', does: 'Go to the names', action: 'press' },
      { keys: 'g c', does: 'Go to the changes', action: 'press' },
      { keys: 'g b', does: 'Go to the bulk changes', action: 'press' },
    ],
  },
  {
    title: 'In lists',
    shortcuts: [
      { keys: 'j', does: 'Move to the next row', action: 'next row' },
      { keys: 'k', does: 'Move to the previous row', action: 'previous row' },
      { keys: 'o', does: 'Open the row, like Enter', action: 'open row' },
      { keys: 'x', does: 'Tick the row', action: 'tick row' },
      { keys: 'a', does: 'Tick all rows, or none', action: 'press', selector: '[data-select-all]' },
      { keys: 'f', does: 'Fine as it is: take the row off the list', action: 'press in row' },
      { keys: 'b', does: 'Change the ticked rows', action: 'press', selector: '.list-actions button' },
      { keys: 'n', does: 'Next page, or the next talk or pair of a list', action: 'press', selector: 'a[rel=next]' },
      { keys: 'p', does: 'Previous page, or the talk or pair before', action: 'press', selector: 'a[rel=prev]' },
    ],
  },
  {
    title: 'In the editor',
    shortcuts: [
      { keys: 'Esc', does: 'Leave the field, so that single keys are shortcuts again', action: 'press' },
      { keys: 'Ctrl+S', does: 'Save, also while typing', action: 'save' },
      { keys: 'Ctrl+Enter', does: 'Save and open the next talk of the list, also while typing', action: 'press' },
      {
        keys: 'Ctrl+Shift+Enter',
        does: 'Publish and open the next talk of the list, also while typing',
        action: 'press',
      },
      {
        keys: 'e',
        does: 'Go to the first field',
        action: 'press',
        selector: '#record-form .field :is(input, textarea)',
      },
      { keys: 'h', does: 'History', action: 'press' },
      { keys: 'v', does: 'Show or hide the preview', action: 'press' },
    ],
  },
  {
    title: 'Talks that may be the same',
    shortcuts: [
      { keys: '1', does: 'Keep the first talk', action: 'press' },
      { keys: '2', does: 'Keep the second talk', action: 'press' },
      { keys: 'y', does: 'Mark the two as different', action: 'press' },
    ],
  },
  {
    title: 'Names that may be the same',
    shortcuts: [
      { keys: digitKeys, does: 'Choose the name of the row to keep', action: 'choose in row' },
      { keys: 'm', does: 'Merge the names of the row', action: 'press in row' },
      { keys: 'd', does: 'Mark the names of the row as different', action: 'press in row' },
    ],
  },
]

/**
 * What a shortcut does: clicks or focuses the element with its `data-key`, on the page or in the current row alone; or
 * an action without a single element.
 */
type KeyAction =
  | 'press'
  | 'press in row'
  | 'choose in row'
  | 'help'
  | 'save'
  | 'next row'
  | 'previous row'
  | 'open row'
  | 'tick row'

export interface Shortcut {
  /** `Ctrl+S`, a single key, or two that are pressed one after the other. */
  readonly keys: string
  readonly does: string
  readonly action: KeyAction
  /** What is pressed where no element has the keys in its `data-key`. */
  readonly selector?: string
}

interface ShortcutGroup {
  readonly title: string
  readonly shortcuts: readonly Shortcut[]
}
