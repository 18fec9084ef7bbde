import { expect, test } from 'bun:test'
import { isPerson, isTopic, toOneSpelling } from '../../src/record/text/topic.ts'

test('a tag with a year, or that every talk could have, is no topic', () => {
  const topics = ['Sailing', 'Web 2.0', 'Python 3', 'talking', 'Lightning talks', 'R']
  for (const topic of topics) expect([topic, isTopic(topic)]).toEqual([topic, true])
  const others = ['HarbourConf2019', '2019', 'Harbour Days 2021', 'Video', 'talks', 'TALK', 'conference']
  for (const other of others) expect([other, isTopic(other)]).toEqual([other, false])
})

test('a name that stands for several people is no person', () => {
  for (const name of ['Various speakers', 'Multiple Speakers', 'various', 'N/A', 'Unknown speaker', 'Panel']) {
    expect([name, isPerson(name)]).toEqual([name, false])
  }
  for (const name of ['Ann Bell', 'Pan', 'Manya Speaker']) {
    expect([name, isPerson(name)]).toEqual([name, true])
  }
})

test('of names that differ in case, accents, punctuation and plural only, the first stays', () => {
  const names = [
    'Machine Learning',
    'machine-learning',
    'C',
    'C++',
    'Zoë',
    'zoe',
    'machine learning',
    'Lightning talks',
    'lightning talk',
  ]
  expect(toOneSpelling(names, (name) => name)).toEqual(['Machine Learning', 'C', 'C++', 'Zoë', 'Lightning talks'])
})
