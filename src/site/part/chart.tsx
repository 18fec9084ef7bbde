import type { Child } from '#jsx/jsx-runtime'
import { toNumber } from '../../record/text/counted.ts'

export interface Bar {
  readonly label: string
  readonly value: number
  /** Shown instead of the plain number. */
  readonly text?: string
  readonly href?: string
}

interface ChartProps {
  readonly title: string
  /** What the labels are, as the heading of a column: `Year`. */
  readonly by: string
  readonly unit: string
  readonly bars: readonly Bar[]
}

const width = 720
const height = 240
const margin = { top: 12, right: 8, bottom: 28, left: 48 }
const [digitWidth, labelGap] = [8, 14]

/** Values over time or by size, as columns, with the numbers in a table below. */
export function ColumnChart({ title, by, unit, bars }: ChartProps) {
  const x = toBands(bars.length, bars.length > 40 ? 0.1 : 0.24)
  const ticks = toTicks(Math.max(1, ...bars.map(({ value }) => value)))
  const top = ticks.at(-1) ?? 1
  const y = (value: number) => (height - margin.bottom) * (1 - value / top) + margin.top * (value / top)
  const labelWidth = labelGap + digitWidth * Math.max(0, ...bars.map(({ label }) => label.length))
  const every = Math.ceil((bars.length * labelWidth) / (width - margin.left))
  return (
    <Figure title={title} by={by} unit={unit} bars={bars}>
      <svg
        class="chart"
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${title}. The numbers are in the table below.`}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line class="grid" x1={margin.left} x2={width - margin.right} y1={y(tick)} y2={y(tick)} />
            <text class="axis" x={margin.left - 8} y={y(tick) + 4} text-anchor="end">
              {toNumber(tick)}
            </text>
          </g>
        ))}
        {bars.map(({ label, value, text }, i) => (
          <g key={label}>
            <rect class="bar" x={x.toLeft(i)} y={y(value)} width={x.width} height={y(0) - y(value)} rx="2">
              <title>{`${label}: ${text ?? toNumber(value)} ${unit}`}</title>
            </rect>
            {i % every === 0 && (
              <text
                class={(i / every) % 2 === 0 ? 'axis' : 'axis minor'}
                x={x.toLeft(i) + x.width / 2}
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

/** Values by name, as rows. The numbers are beside the bars, so no table is needed. */
export function RowChart({ title, by, unit, bars }: ChartProps) {
  const max = Math.max(1, ...bars.map(({ value }) => value))
  return (
    <figure class="figure">
      <figcaption>{title}</figcaption>
      <table class="row-chart">
        <thead class="hidden-text">
          <tr>
            <th scope="col">{by}</th>
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
                  <rect class="bar" width={Math.max(0.5, (value / max) * 100)} height="8" />
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

function Figure({ title, by, unit, bars, children }: ChartProps & { readonly children: Child }) {
  return (
    <figure class="figure">
      <figcaption>{title}</figcaption>
      {children}
      <details>
        <summary>As a table</summary>
        <section class="scrolled" tabindex="0" aria-label={title}>
          <table class="numbers">
            <thead>
              <tr>
                <th scope="col">{by}</th>
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

/** Columns side by side; `padding` is the share of each that is left empty. A single column is centred. */
function toBands(count: number, padding: number) {
  const range = width - margin.right - margin.left
  const step = range / Math.max(1, count - padding)
  const start = margin.left + (range - step * (count - padding)) / 2
  return { toLeft: (i: number) => start + step * i, width: step * (1 - padding) }
}

/** About four steps of 1, 2 or 5 times a power of ten; the last one is `max` or above. */
function toTicks(max: number): readonly number[] {
  const power = 10 ** Math.floor(Math.log10(max / 4))
  const share = max / 4 / power
  const step = Math.max(
    1,
    power * (share >= Math.sqrt(50) ? 10 : share >= Math.sqrt(10) ? 5 : share >= Math.sqrt(2) ? 2 : 1),
  )
  const top = Math.ceil(max / step) * step
  return top === max ? Array.from({ length: max / step + 1 }, (_, i) => i * step) : toTicks(top)
}
