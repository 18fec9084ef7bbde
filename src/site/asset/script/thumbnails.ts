/** YouTube's picture for "none" has this size; it comes as a 404 with a picture. */
const [placeholderWidth, placeholderHeight] = [120, 90]

/** Removes pictures that are none, so that the generated one is seen. */
export function removePlaceholders(): void {
  for (const image of document.querySelectorAll<HTMLImageElement>('.thumbnail img, .backdrop img')) {
    if (!/\/\/(?:[\w-]{1,20}\.)?(?:ytimg|youtube)\.com\//.test(image.src)) continue
    const check = () => {
      if (image.naturalWidth === placeholderWidth && image.naturalHeight === placeholderHeight) image.remove()
    }
    if (image.complete) check()
    else image.addEventListener('load', check, { once: true })
  }
}
