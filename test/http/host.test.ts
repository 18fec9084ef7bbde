import { expect, test } from 'bun:test'
import { toHttpUrl, toReachableHost } from '../../src/http/host.ts'

test.each([
  ['127.0.0.1', 'http://127.0.0.1:80'],
  ['::1', 'http://[::1]:80'],
  ['0.0.0.0', 'http://127.0.0.1:80'],
  ['::', 'http://[::1]:80'],
  ['192.0.2.7', 'http://192.0.2.7:80'],
  ['talks.example.org', 'http://talks.example.org:80'],
])('a server that listens on %s is asked at %s', (host, url) => {
  expect(toHttpUrl(toReachableHost(host), 80)).toBe(url)
})
