import type { Urls } from '../../site/urls.ts'
import { shortcutGroups } from './shortcuts.ts'

/** All shortcuts. The switch appears with the script that handles them. */
export function KeyTables({ level: Heading = 'h2' }: { readonly level?: 'h2' | 'h3' }) {
  return (
    <div class="key-tables">
      <p>For two keys, press one, then the other. On a Mac, use Command instead of Ctrl.</p>
      <label data-keys-switch hidden>
        <input type="checkbox" /> Use single-key shortcuts
      </label>
      <div class="key-groups">
        {shortcutGroups.map(({ title, shortcuts }) => (
          <section key={title}>
            <Heading>{title}</Heading>
            <dl>
              {shortcuts.map(({ keys, does }) => (
                <div key={keys}>
                  <dt>
                    <Keys keys={keys} />
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </div>
  )
}

/** The link to the shortcuts on every page for curators, and the overlay that the script shows instead. */
export function KeysHelp({ urls }: { readonly urls: Urls }) {
  return (
    <>
      <p class="keys-link">
        <a href={urls.keys} data-key="?">
          Keyboard shortcuts <kbd>?</kbd>
        </a>
      </p>
      <dialog id="keys-help" aria-labelledby="keys-help-title">
        <div class="keys-head">
          <h2 id="keys-help-title">Keyboard shortcuts</h2>
          <button type="button" class="button quiet small" data-close>
            Close
          </button>
        </div>
        <KeyTables level="h3" />
      </dialog>
    </>
  )
}

/** `Ctrl+S` and `g l` as two keys each. */
function Keys({ keys }: { readonly keys: string }) {
  return <>{keys.split(/[ +]/).flatMap((key, i) => [...(i === 0 ? [] : [' ']), <kbd key={key}>{key}</kbd>])}</>
}
