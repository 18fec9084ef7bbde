import { findChromium } from './chromium.ts'

// The runner does this once, before test files that need a browser would all install one.
console.log(await findChromium())
