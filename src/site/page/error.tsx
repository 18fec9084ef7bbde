import { negotiate } from '../../http/negotiate.ts'
import { type Problem, toSentence, toStatus } from '../../http/problem.ts'
import { contentTypes, toHeaders, toProblemAnswer, toUtf8Body } from '../../http/respond.ts'
import type { Call, ToErrorAnswer } from '../../http/route.ts'
import { renderPage, SearchBox } from '../part/layout.tsx'
import { toAddressWords } from '../search/address-words.ts'
import { type FrameDeps, openSite, type Site } from '../site.ts'

/** The path of the route for all that no page has. */
export const missingPattern = '/*'

/** Answers a refused request with a page that says what to do next, or with problem+json for clients that prefer JSON. */
export function toErrorAnswer(deps: FrameDeps): ToErrorAnswer {
  return async (met, call) => {
    // That no page has this path is known without the query threads.
    const problem = isMissing(call) && toStatus(met) === 503 ? ({ code: 'no_such_path' } as const) : met
    if (isForPrograms(problem, call)) return toProblemAnswer(problem, call.route.headers, call.requestId())
    const answer = toProblemAnswer(problem, toHeaders(call.route.headers, null, 'never'), call.requestId())
    answer.headers.set('Content-Type', contentTypes.html)
    return { ...answer, ...toUtf8Body(await renderError(call, deps, problem)) }
  }
}

/** Feed readers and crawlers show an error as text, if at all. */
export const toTextErrorAnswer: ToErrorAnswer = async (problem, call) => {
  const answer = toProblemAnswer(problem, call.route.headers, call.requestId())
  if (negotiate(call.head.accept) === 'json') return answer
  answer.headers.set('Content-Type', contentTypes.text)
  return { ...answer, ...toUtf8Body(`${toStatus(problem) === 503 ? busyText : toSentence(problem)}\n`) }
}

const busyText = 'The server is busy. Try again in a few seconds.'

/** Without a valid Host, a page could not build its links. */
export function isForPrograms({ code }: Problem, { head }: Call): boolean {
  return code === 'bad_host' || negotiate(head.accept) === 'json'
}

interface ErrorPageProps {
  readonly site: Site
  readonly problem: Problem
  /** The text in the search box. */
  readonly q?: string
}

export function ErrorPage({ site, problem, q = '' }: ErrorPageProps) {
  const { title, text } = explainProblem(problem)
  return (
    <div class="error-page">
      <p class="status">{toStatus(problem)}</p>
      <h1>{title}</h1>
      <p>{text}</p>
      <SearchBox site={site} q={q} isLarge />
      <p>
        <a href={site.urls.home}>Go to the home page</a>
      </p>
    </div>
  )
}

const noSuchPage = 'This page does not exist. Try a search.'

export function explainProblem(problem: Problem): { readonly title: string; readonly text: string } {
  switch (toStatus(problem)) {
    case 404:
      return { title: 'Page not found', text: noSuchPage }
    case 410:
      return { title: 'No longer available', text: 'This talk was withdrawn from the archive.' }
    case 503:
      return { title: 'Too busy right now', text: busyText }
    case 500:
      return { title: 'Something went wrong', text: 'The error was logged. Please try again.' }
    default:
      return { title: 'This link does not work', text: problem.detail ?? noSuchPage }
  }
}

async function renderError(call: Call, deps: FrameDeps, problem: Problem): Promise<string> {
  const site = await openSite(call, deps)
  return renderPage(
    site,
    { title: explainProblem(problem).title, canonical: null, isIndexed: false, hasSearchBox: false },
    <ErrorPage site={site} problem={problem} q={toWords(call, problem)} />,
  )
}

/** The text for the search box: `q` of the request, or the words of a URL that does not exist. */
function toWords(call: Call, problem: Problem): string {
  const q = call.query().get('q')
  const isFixed = !isMissing(call) && call.route.path !== '' && !call.route.path.includes(':')
  if (q !== null || isFixed || ![404, 410].includes(toStatus(problem))) return q ?? ''
  return toAddressWords(new URL(call.url).pathname)
}

const isMissing = ({ route }: Call) => route.path === missingPattern
