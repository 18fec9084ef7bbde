import packageJson from '../package.json'
import { toOpenApi } from '../src/api/openapi/openapi.ts'
import { createRoutes } from '../src/api/routes.ts'

/** The route table of the service. Routes keep their needs for requests, and here there are none. */
export const routes = createRoutes({} as Parameters<typeof createRoutes>[0]).all

/** The OpenAPI document of a service at this address. */
export const description = toOpenApi(routes, packageJson.version, 'https://videos.example.org')
