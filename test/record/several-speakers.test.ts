import { describe, expect, test } from 'bun:test'
import { isSeveralSpeakers, splitSpeaker } from '../../src/record/quality/several-speakers.ts'

/** Entries of one person, or of no person at all. */
const single = [
  'Ada Lovelace',
  'Smith, John',
  'van Rossum, Guido',
  'Lovelace, Ada King',
  'Sammy Davis, Jr.',
  'John Smith, PhD',
  'John Smith, Ph.D.',
  'Smith, John, Jr.',
  'José Ortega y Gasset',
  'Josep Puig i Cadafalch',
  'Eça e Queirós',
  'Alex Kim (they/them)',
  'Sam Lee (he/him)',
  'AC/DC',
  'AT&T',
  'Barnes & Noble',
  'Johnson and Johnson',
  'Jane Roe, CEO',
  'Jane Roe, CTO of Example',
  'Jane Roe, Example University',
  'Department of Computer and Information Science',
  'Research and Development',
  'The Django Software Foundation and friends',
  'Grace Hopper and friends',
  'John and the Others',
  "Conan O'Brien",
  'Jean-Luc Andersson',
  'Andrew Candy',
  'Anders Sandvik',
  'Sandra Etwell',
  'Various speakers',
  'C++ user',
  'user42, admin7',
  'Panel: Web and Data',
  'مريم',
  '山田太郎',
  '山田 太郎/Taro Yamada',
]

const several: readonly [entry: string, ...people: string[]][] = [
  ['Ben Doherty, Ishaan Varshney', 'Ben Doherty', 'Ishaan Varshney'],
  ['Ana Lopez & Ben Kim', 'Ana Lopez', 'Ben Kim'],
  ['Ana Lopez and Ben Kim', 'Ana Lopez', 'Ben Kim'],
  ['Ana Lopez AND Ben Kim', 'Ana Lopez', 'Ben Kim'],
  ['Ben and Ishaan Varshney', 'Ben', 'Ishaan Varshney'],
  ['Ana Lopez, Ben Kim and Chidi Okoye', 'Ana Lopez', 'Ben Kim', 'Chidi Okoye'],
  ['Ana Lopez, Ben Kim, and Chidi Okoye', 'Ana Lopez', 'Ben Kim', 'Chidi Okoye'],
  ['Ana, Ben, Chidi', 'Ana', 'Ben', 'Chidi'],
  ['Ana Lopez / Ben Kim', 'Ana Lopez', 'Ben Kim'],
  ['Ana Lopez/Ben Kim', 'Ana Lopez', 'Ben Kim'],
  ['Ana Lopez; Ben Kim', 'Ana Lopez', 'Ben Kim'],
  ['Lopez, Ana; Kim, Ben', 'Lopez, Ana', 'Kim, Ben'],
  ['Lopez, Ana and Kim, Ben', 'Lopez, Ana', 'Kim, Ben'],
  ['Ana Lopez + Ben Kim', 'Ana Lopez', 'Ben Kim'],
  ['Ana Lopez | Ben Kim', 'Ana Lopez', 'Ben Kim'],
  ['Ana Lopez with Ben Kim', 'Ana Lopez', 'Ben Kim'],
  ['Ana Lopez (Example Inc), Ben Kim (Sample)', 'Ana Lopez', 'Ben Kim'],
  ['Anna Müller und Jörg Weiß', 'Anna Müller', 'Jörg Weiß'],
  ['Zoé Blanc et Luc Petit', 'Zoé Blanc', 'Luc Petit'],
  ['Ana Ruiz y Pablo Soto', 'Ana Ruiz', 'Pablo Soto'],
  ['Анна Петрова и Иван Сидоров', 'Анна Петрова', 'Иван Сидоров'],
  ['Guido van der Berg, Maria de la Cruz', 'Guido van der Berg', 'Maria de la Cruz'],
  ['A. B. Carter & D. Evans', 'A. B. Carter', 'D. Evans'],
  ['Ana Lopez; Ben Kim ...', 'Ana Lopez', 'Ben Kim'],
  ['山田太郎、鈴木花子', '山田太郎', '鈴木花子'],
]

describe('An entry of speakers', () => {
  for (const entry of single) {
    test(`is one: ${entry}`, () => {
      expect(splitSpeaker(entry)).toEqual([entry])
      expect(isSeveralSpeakers(entry)).toBe(false)
    })
  }
  for (const [entry, ...people] of several) {
    test(`is several: ${entry}`, () => {
      expect(splitSpeaker(entry)).toEqual(people)
      expect(people.flatMap(splitSpeaker)).toEqual(people)
    })
  }
  test('names somebody once', () => {
    expect(splitSpeaker('Ana Lopez, Ana Lopez')).toEqual(['Ana Lopez, Ana Lopez'])
    expect(splitSpeaker('Ana Lopez, Ben Kim, Ana Lopez')).toEqual(['Ana Lopez', 'Ben Kim'])
  })
  test('is judged quickly however hostile it is', () => {
    for (const part of ['a, ', ', ', '(', 'A and ', 'Ab Cd/', ' / ', 'y ']) {
      expect(splitSpeaker(part.repeat(255)).length).toBeGreaterThan(0)
    }
  })
})
