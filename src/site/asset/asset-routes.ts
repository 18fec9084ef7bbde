import { isKnown } from '../../http/conditional.ts'
import { chooseCoding } from '../../http/negotiate.ts'
import { Refused } from '../../http/problem.ts'
import { toHeaders } from '../../http/respond.ts'
import type { Call } from '../../http/route.ts'
import type { SiteDeps } from '../site.ts'

/** A style sheet, script or icon. Another hash of a known file gets the current one, uncached (rolling upgrades). */
export async function readAsset(call: Call<'file'>, { assets }: Pick<SiteDeps, 'assets'>): Promise<Response> {
  const asset = (await assets.load()).find(call.params.file)
  if (asset === null) throw new Refused({ code: 'no_such_path' })
  const coding = chooseCoding(call.head.acceptEncoding)
  const headers = toHeaders(call.route.headers, asset.type, asset.isCurrent ? 'immutable' : 'never')
  headers.set('Vary', 'Accept-Encoding')
  headers.set('ETag', `"${call.params.file}.${coding}"`)
  if (coding !== 'identity') headers.set('Content-Encoding', coding)
  if (asset.isCurrent && isKnown(call.head, headers.get('ETag') ?? ''))
    return new Response(null, { status: 304, headers })
  return new Response(Buffer.from(asset.read(coding)), { headers })
}
