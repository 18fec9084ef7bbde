import type { Site } from '../../site/site.ts'
import { recordFormId } from '../form/record-form.tsx'

/** The id of what a preview shows, in the panel and in the page that fills it. */
export const previewId = 'preview'

/**
 * The live preview beside the form of a talk; `id` is null for a new one. It belongs behind `RecordForm`, not into it:
 * the first button of a form is the one that Enter presses. Without a script its button shows the preview in a new tab.
 */
export function PreviewPanel({ site: { urls }, id }: { readonly site: Site; readonly id: number | null }) {
  const address = urls.previewForm(id)
  return (
    <details class="preview-panel" data-preview-panel>
      <summary data-key="v">Preview</summary>
      <button
        type="submit"
        form={recordFormId}
        formaction={address}
        formtarget="_blank"
        class="button quiet small"
        name="do"
        value="preview"
      >
        Open the preview in a new tab
      </button>
      <div id={previewId} class="preview" data-preview={address} />
    </details>
  )
}
