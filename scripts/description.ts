import packageJson from '../package.json'
import { toOpenApi } from '../src/api/openapi/openapi.ts'
import { createRoutes } from '../src/api/routes.ts'

/** The route table of the service. Handlers use their dependencies for requests only, so none are passed here. */
export const routes = createRoutes({} as Parameters<typeof createRoutes>[0]).all

/** The OpenAPI document of a service at this address. */
export const description = toOpenApi(routes, packageJson.version, 'https://videos.example.org')
