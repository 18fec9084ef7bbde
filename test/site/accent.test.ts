import { expect, test } from 'bun:test'
import { toAccentColours, toContrast } from '../../src/site/asset/accent.ts'

test.each(['#000000', '#ffffff', '#ffff00', '#0b5fff', '#b3261e', '#7f7f7f'])(
  'an accent of %p is legible on light and on dark pages',
  (accent) => {
    const { light, dark } = toAccentColours(accent)
    for (const page of ['#ffffff', '#f5f6f8']) expect(toContrast(light, page)).toBeGreaterThan(4.5)
    for (const page of ['#121419', '#1b1f26']) expect(toContrast(dark, page)).toBeGreaterThan(4.5)
  },
)

test('an accent that is legible stays as it is', () => {
  expect(toAccentColours('#0b4fd0').light).toBe('#0b4fd0')
})

test('the contrast of black and white is 21', () => {
  expect(toContrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
})
