import { runScenario } from './scenario.ts'

const [, , baseUrl = '', token = '', run = 'Node'] = process.argv
console.log(JSON.stringify(await runScenario(baseUrl, token, run)))
