import { corsHeaders } from '../http/cors.ts'

/** A record is the same bytes either way. */
export const contentTypes = { html: 'text/html; charset=utf-8', json: 'application/json' } as const

/** On every answer of the API. */
const apiHeaders = { 'X-Content-Type-Options': 'nosniff', ...corsHeaders }

export const itemAllow = 'GET, PUT, PATCH, HEAD, OPTIONS'
export const listAllow = 'GET, POST, HEAD, OPTIONS'
export const readAllow = 'GET, HEAD, OPTIONS'
const categoryAllow = 'GET, PATCH, HEAD, OPTIONS'

/** The item is JSON that calls itself HTML, so a browser is told to run and load nothing. */
export const itemHeaders = new Headers({
  Allow: itemAllow,
  Vary: 'Accept',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  ...apiHeaders,
})

export const listHeaders = new Headers({ Allow: listAllow, Vary: 'Accept, Authorization', ...apiHeaders })

export const readHeaders = new Headers({ Allow: readAllow, Vary: 'Accept, Authorization', ...apiHeaders })

export const categoryHeaders = new Headers({ Allow: categoryAllow, Vary: 'Accept, Authorization', ...apiHeaders })

/** A path that only does something. */
export const actionHeaders = new Headers({ Allow: 'POST, OPTIONS', Vary: 'Accept, Authorization', ...apiHeaders })

export const legacyHeaders = new Headers({ Allow: 'GET, HEAD', Vary: 'Accept, Authorization', ...apiHeaders })

export const systemHeaders = new Headers({
  Allow: 'GET, HEAD',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
})
