import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';

/** `GET /openapi.json`: the document that `npm run generate openapi` generates from the schemas; read when first asked for. */
export function openapiRoute(): Route {
  return {
    method: 'GET',
    path: '/openapi.json',
    async handle() {
      const { default: document } = await import('../openapi.generated.json', { with: { type: 'json' } });
      return jsonResponse(200, document);
    },
  };
}
