import { describe } from 'bun:test'
import { useService } from './service.ts'
import { refuses, runTable, takes } from './table.ts'

// Runner: long PostgreSQL

const service = useService()

const days = [null, '2012-03-09', '2012-02-29', '2000-02-29', '1999-12-31', '2024-01-31', '1970-01-01', '9999-12-31']

const noDays = [
  '',
  '2011-02-29',
  '1900-02-29',
  '2012-02-30',
  '2012-04-31',
  '2012-13-01',
  '2012-00-10',
  '2012-01-00',
  '2012-01-32',
  '2012-1-1',
  '12-01-01',
  '2012-01',
  '2012',
  '20120101',
  '2012/01/01',
  '01-02-2012',
  '2012-01-01T00:00:00',
  '2012-01-01 ',
  ' 2012-01-01',
  '2012-01-01\n',
  '+2012-01-01',
  '２０１２-01-01',
  'yesterday',
  20120101,
  0,
  true,
  [],
  {},
]

describe('The day of recording', () => {
  runTable([...days.map((day) => takes('recorded', day)), ...noDays.map((day) => refuses('recorded', day))], service)
})
