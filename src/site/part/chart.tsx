import { scaleBand, scaleLinear } from 'd3-scale'
import type { Child } from '#jsx/jsx-runtime'
import { toNumber } from '../../record/text/counted.ts'
import { texts } from '../texts.ts'

export interface Bar {
  readonly label: string
  readonly value: number
  /** What a reader sees instead of the plain number. */
  readonly text?: string
  readonly href?: string
}

interface ChartProps {
  readonly title: string
  readonly unit: string
  readonly bars: readonly Bar[]
}

const width = 720
const height = 240
const margin = { top: 12, right: 8, bottom: 28, left: 48 }
/** Of a digit, and between labels. */
const [digitWidth, labelGap] = [8, 14]

/** Values over time or by size, as columns, with the numbers in a table below. */
export function ColumnChart({ title, unit, bars }: ChartProps) {
  const x = scaleBand()
    .domain(bars.map(({ label }) => label))
    .range([margin.left, width - margin.right])
    .paddingInner(bars.length > 40 ? 0.1 : 0.24)
  const y = scaleLinear()
    .domain([0, Math.max(1, ...bars.map(({ value }) => value))])
    .nice(4)
    .range([height - margin.bottom, margin.top])
  const labelWidth = labelGap + digitWidth * Math.max(0, ...bars.map(({ label }) => label.length))
  const every = Math.ceil((bars.length * labelWidth) / (width - margin.left))
  return (
    <Figure title={title} unit={unit} bars={bars}>
      <svg
        class="chart"
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${title}. ${texts.stats.tableBelow}`}
      >
        {y.ticks(4).map((tick) => (
          <g key={tick}>
            <line class="grid" x1={margin.left} x2={width - margin.right} y1={y(tick)} y2={y(tick)} />
            <text class="axis" x={margin.left - 8} y={y(tick) + 4} text-anchor="end">
              {toNumber(tick)}
            </text>
          </g>
        ))}
        {bars.map(({ label, value, text }, i) => (
          <g key={label}>
            <rect class="bar" x={x(label)} y={y(value)} width={x.bandwidth()} height={y(0) - y(value)} rx="2">
              <title>{`${label}: ${text ?? toNumber(value)} ${unit}`}</title>
            </rect>
            {i % every === 0 && (
              <text
                class={(i / every) % 2 === 0 ? 'axis' : 'axis minor'}
                x={(x(label) ?? 0) + x.bandwidth() / 2}
                y={height - 8}
                text-anchor="middle"
              >
                {label}
              </text>
            )}
          </g>
        ))}
      </svg>
    </Figure>
  )
}

/** Values of names, as rows: the numbers stand beside the bars, so no table is needed. */
export function RowChart({ title, unit, bars }: ChartProps) {
  const x = scaleLinear()
    .domain([0, Math.max(1, ...bars.map(({ value }) => value))])
    .range([0, 100])
  return (
    <figure class="figure">
      <figcaption>{title}</figcaption>
      <table class="row-chart">
        <thead class="hidden-text">
          <tr>
            <th scope="col">{texts.stats.name}</th>
            <th scope="col">{unit}</th>
          </tr>
        </thead>
        <tbody>
          {bars.map(({ label, value, text, href }) => (
            <tr key={label}>
              <th scope="row">
                <bdi>{href === undefined ? label : <a href={href}>{label}</a>}</bdi>
              </th>
              <td>
                <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                  <rect class="bar" width={Math.max(0.5, x(value))} height="8" />
                </svg>
                <span>{text ?? toNumber(value)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}

function Figure({ title, unit, bars, children }: ChartProps & { readonly children: Child }) {
  return (
    <figure class="figure">
      <figcaption>{title}</figcaption>
      {children}
      <details>
        <summary>{texts.stats.asTable}</summary>
        <section class="scrolled" tabindex="0" aria-label={title}>
          <table class="numbers">
            <thead>
              <tr>
                <th scope="col">{texts.stats.name}</th>
                <th scope="col">{unit}</th>
              </tr>
            </thead>
            <tbody>
              {bars.map(({ label, value, text }) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  <td>{text ?? toNumber(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  )
}
