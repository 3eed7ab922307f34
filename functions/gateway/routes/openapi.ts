import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import document from '../openapi.generated.json' with { type: 'json' };

/** `GET /openapi.json`: the document that `npm run openapi` generates from the schemas. */
export function openapiRoute(): Route {
  return { method: 'GET', path: '/openapi.json', handle: async () => jsonResponse(200, document) };
}
