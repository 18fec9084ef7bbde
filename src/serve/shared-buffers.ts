import { createQuotaBuffer, createRateLimitBuffer } from '../http/limits.ts'
import { createMetricsBuffer } from '../http/metrics.ts'
import { createCountersBuffer, createPrimaryBuffer } from '../store/counters.ts'
import type { SharedBuffers } from './port/messages.ts'

/** For so many HTTP threads. */
export function createSharedBuffers(threads: number): SharedBuffers {
  return {
    counters: createCountersBuffer(),
    primary: createPrimaryBuffer(),
    metrics: createMetricsBuffer(threads),
    wrongTokens: createRateLimitBuffer(),
    writes: createRateLimitBuffer(),
    waiting: createQuotaBuffer(threads),
    forms: createQuotaBuffer(threads),
    streams: createQuotaBuffer(threads),
  }
}
