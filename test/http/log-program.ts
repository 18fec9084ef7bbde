import { createLogger } from '../../src/http/logger.ts'

// Says 30 lines, ten at a time with a pause between, so that the test sees in how many pieces they go out.
const log = createLogger(Date.now)
for (let group = 0; group < 3; group++) {
  for (let line = 0; line < 10; line++) log.info('request', { number: group * 10 + line })
  await Bun.sleep(200)
}
log.warn('write failed')
await log.flush()
