import { toCounted } from '../../record/text/counted.ts'

/** Texts that the editor's scripts show. */
export const editScriptTexts = {
  unsaved: {
    found: (time: string, fields: string) =>
      `This browser has changes to this form that were not saved (${time})${fields === '' ? '' : `: ${fields}`}.`,
    isOlder: 'The talk has been changed since. Saving compares both.',
    restore: 'Restore them',
    discard: 'Discard them',
    restored: 'Restored. Nothing is saved yet.',
    kept: 'Unsaved changes in this browser:',
    talk: (id: string) => `Talk ${id}`,
    untitled: 'A form',
    drop: 'Discard',
    dropOf: (title: string) => `Discard the changes to ${title}`,
    isSure: (title: string) => `Discard what you typed for “${title}”?`,
  },
  signOut: (count: number, what: 'talk' | 'form') =>
    `You have unsaved changes in ${toCounted(count, what)}. Sign out and discard them?`,
  ticks: {
    here: (count: number, what: string) => `Applies to ${toCounted(count, `selected ${what}`)}.`,
    withOthers: (count: number, others: number, what: string) =>
      `Applies to ${toCounted(count, `selected ${what}`)}, ${others} of them on other pages.`,
    whole: 'Applies to the whole list.',
  },
  send: {
    waiting: 'Waiting for the server …',
    failed: {
      offline: 'Not saved: this device is offline. Your text is kept here. Try again.',
      server: 'Not saved: the server did not respond. Your text is kept here. Try again.',
    },
  },
  counter: {
    left: (count: string) => `${count} characters left`,
    tooMany: (count: string) => `${count} characters too many`,
  },
  names: {
    add: (label: string) => `Add to ${label.toLowerCase()}`,
    placeholder: 'Type a name …',
    tagPlaceholder: 'Type a tag …',
    hint: 'Type a name and press Enter.',
    tagHint: 'Type a tag, then a comma or Enter.',
    entries: (label: string) => `${label}, in order`,
    edit: (name: string) => `Edit ${name}`,
    new: 'new',
    editNew: (name: string) => `Edit ${name} (new)`,
    isNew: (name: string) => `${name} is new: no talk has it yet.`,
    remove: (name: string) => `Remove ${name}`,
    earlier: (name: string) => `Move ${name} up`,
    later: (name: string) => `Move ${name} down`,
    added: (name: string) => `${name} added.`,
    removed: (name: string) => `${name} removed.`,
    moved: (name: string, place: number) => `${name} moved to position ${place}.`,
    twice: (name: string) => `${name} is in the list already.`,
    asText: 'Edit as text',
    asList: 'Edit as a list',
  },
  pick: {
    suggestions: 'Suggestions',
    found: (count: number) => `${toCounted(count, 'suggestion')}. Use the arrow keys.`,
    none: 'No suggestions.',
    failed: {
      session: 'No suggestions: your session has ended. Use another tab to sign in.',
      server: 'No suggestions: the server is not responding.',
    },
    merged: (alias: string) => `merged from ${alias}`,
    create: (name: string) => `New: ${name}`,
    createEvent: (title: string) => `New event: ${title}`,
    talks: (count: number) => toCounted(count, 'talk'),
  },
  preview: {
    session: 'No preview: your session has ended. Use another tab to sign in.',
    form: 'No preview: this form is from a session that has ended. It can still be saved.',
    server: 'No preview: the server is not responding.',
  },
} as const
