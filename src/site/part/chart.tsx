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

const width = 560
const height = 240
const margin = { top: 20, right: 8, bottom: 36, left: 56 }
const [digitWidth, labelGap] = [9, 16]

/** Values over time or by size, as columns, with the numbers in a table below. Columns link to what they count. */
export function ColumnChart({ title, by, unit, bars, children }: ChartProps & { readonly children?: Child }) {
  const x = toBands(bars.length, bars.length > 40 ? 0.1 : 0.24)
  const limit = findLimit(bars.map(({ value }) => value))
  const ticks = toTicks(limit)
  const top = ticks.at(-1) ?? 1
  const y = (value: number) => (height - margin.bottom) * (1 - value / top) + margin.top * (value / top)
  const labelWidth = labelGap + digitWidth * Math.max(0, ...bars.map(({ label }) => label.length))
  const every = Math.ceil((bars.length * labelWidth) / (width - margin.left))
  return (
    <Figure title={title} by={by} unit={unit} bars={bars} more={children}>
      <svg
        class="chart"
        viewBox={`0 0 ${width} ${height}`}
        aria-label={`${title}. The numbers are in the table below.`}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line class="grid" x1={margin.left} x2={width - margin.right} y1={y(tick)} y2={y(tick)} />
            <text class="axis" x={margin.left - 8} y={y(tick) + 5} text-anchor="end">
              {toCompact(tick)}
            </text>
          </g>
        ))}
        {bars.map((bar, i) => (
          <g key={bar.label}>
            <Column
              bar={bar}
              unit={unit}
              x={x.toLeft(i)}
              width={x.width}
              y={y(Math.min(bar.value, top))}
              bottom={y(0)}
            />
            {bar.value > top && (
              <text class="axis clipped" x={x.toLeft(i) + x.width / 2} y={margin.top - 6} text-anchor="middle">
                {`↑ ${toNumber(bar.value)}`}
              </text>
            )}
            {i % every === 0 && (
              <text
                class={(i / every) % 2 === 0 ? 'axis' : 'axis minor'}
                x={x.toLeft(i) + x.width / 2}
                y={height - 8}
                text-anchor="middle"
              >
                {bar.label}
              </text>
            )}
          </g>
        ))}
      </svg>
    </Figure>
  )
}

interface ColumnProps {
  readonly bar: Bar
  readonly unit: string
  readonly x: number
  readonly width: number
  readonly y: number
  readonly bottom: number
}

/** The table below has the same links, so that the keyboard meets each once. */
function Column({ bar: { label, value, text, href }, unit, x, width, y, bottom }: ColumnProps) {
  const title = `${label}: ${text ?? toNumber(value)} ${unit}`
  const rect = (
    <rect class="bar" x={x} y={y} width={width} height={bottom - y} rx="2">
      <title>{title}</title>
    </rect>
  )
  if (href === undefined) return rect
  return (
    <a href={href} tabindex="-1" rel="nofollow" aria-label={title}>
      {rect}
    </a>
  )
}

/** From this multiple of the next largest on, a value would make all others invisible. */
const outlierFactor = 4

/** The largest value that is drawn to scale; one that is far above all others is cut off. */
function findLimit(values: readonly number[]): number {
  const [largest = 0, next = 0] = values.toSorted((a, b) => b - a)
  return Math.max(1, next > 0 && largest > outlierFactor * next ? next * 1.2 : largest)
}

/** `25000` -> `25k`: labels must fit beside the plot on a phone. */
function toCompact(value: number): string {
  if (value < 1000) return toNumber(value)
  return value < 1_000_000 ? `${value / 1000}k` : `${value / 1_000_000}M`
}

/** Values by name, as rows. The numbers are beside the bars, so no table is needed. */
export function RowChart({ title, by, unit, bars, children }: ChartProps & { readonly children?: Child }) {
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
      {children}
    </figure>
  )
}

interface FigureProps extends ChartProps {
  readonly children: Child
  readonly more: Child
}

function Figure({ title, by, unit, bars, children, more }: FigureProps) {
  return (
    <figure class="figure">
      <figcaption>{title}</figcaption>
      {children}
      {more}
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
              {bars.map(({ label, value, text, href }) => (
                <tr key={label}>
                  <th scope="row">
                    {href === undefined ? (
                      label
                    ) : (
                      <a href={href} rel="nofollow">
                        {label}
                      </a>
                    )}
                  </th>
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
