import { type Problem, toSentence } from '../../../http/problem/problem-codes.ts'
import { videoTexts } from './video-texts.ts'

const { refused: texts } = videoTexts

/** Why nothing was saved, and what to do next. */
export function Refusal(problem: Problem) {
  return (
    <div class="notice is-bad" role="alert">
      <p>
        <b>{problem.code === 'unknown' ? texts.unknown : texts.title}</b> {toAdvice(problem)}
      </p>
      <p>{texts.kept}</p>
    </div>
  )
}

function toAdvice(problem: Problem): string {
  switch (problem.code) {
    case 'live_is_for_publishers':
      return texts.live
    case 'publishing_is_for_publishers':
      return texts.publish
    case 'unknown':
      return ''
    case 'busy':
    case 'late':
    case 'internal':
      return texts.again
    default:
      return toSentence(problem)
  }
}

export function UnknownBase() {
  return (
    <p class="notice is-bad" role="alert">
      {videoTexts.unknownBase}
    </p>
  )
}
