import { formTexts } from './form-texts.ts'

/** Why a change is made. It is stored with the version. */
export function ReasonInput({ value }: { readonly value: string }) {
  return (
    <>
      <label for="reason">{formTexts.form.reason}</label>
      <input
        type="text"
        id="reason"
        name="reason"
        value={value}
        dir="auto"
        autocomplete="off"
        placeholder={formTexts.form.reasonHelp}
        data-limit="500"
      />
    </>
  )
}
