import { runScenario } from './scenario.ts'

const [, , baseUrl = '', token = ''] = process.argv
console.log(JSON.stringify(await runScenario(baseUrl, token, 'Node')))
