/** By what each has in its User-Agent; several name others that they imitate, so the order matters. */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['CrOS', 'ChromeOS'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** `Firefox on Linux`, so that people recognise their session. */
export function toBrowserName(agent: string): string {
  const [, browser] = browsers.find(([part]) => agent.includes(part)) ?? []
  const [, system] = systems.find(([part]) => agent.includes(part)) ?? []
  // A program without the habits of browsers names itself first.
  const name = browser ?? agent.split(/[ /]/)[0]?.slice(0, 40) ?? ''
  if (name === '') return 'Unknown browser'
  return system === undefined ? name : `${name} on ${system}`
}
