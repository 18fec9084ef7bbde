import { basename } from 'node:path'

const entities: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&apos;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
}

type Report = {
  readonly passed: number
  readonly failures: readonly string[]
  /** The files that have a case in it. */
  readonly reported: ReadonlySet<string>
}

/** Reads a JUnit report. A skipped case counts as failed: no case of ours may be skipped. */
export function readReport(report: string): Report {
  let passed = 0
  const failures: string[] = []
  const reported = new Set<string>()
  for (const [, attributes = '', inside = ''] of report.matchAll(/<testcase\b([^>]*?)(?:\/>|>(.*?)<\/testcase>)/gs)) {
    reported.add(toAttribute(attributes, 'file'))
    const verdict = /<(?:failure|error|skipped)\b(.*)/s.exec(inside)?.[1]
    if (verdict === undefined) passed++
    else failures.push(toFailure(attributes, verdict))
  }
  return { passed, failures, reported }
}

function toFailure(attributes: string, verdict: string): string {
  const reason = toAttribute(verdict, 'message') || 'skipped, or failed without a message'
  const where = `${basename(toAttribute(attributes, 'file'))}:${toAttribute(attributes, 'line')}: ${toAttribute(attributes, 'name')}`
  return `${where}\n  ${reason.replaceAll('\n', '\n  ')}`
}

function toAttribute(attributes: string, name: string): string {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? ''
  return value.replace(/&(?:#(\d+)|quot|apos|lt|gt|amp);/g, (entity, code: string | undefined) =>
    code === undefined ? (entities[entity] ?? entity) : String.fromCodePoint(Number(code)),
  )
}
