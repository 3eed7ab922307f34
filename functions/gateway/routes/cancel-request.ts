import { GatewayError } from '../../core/base/errors.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { type Authenticator, authenticate, authorize } from '../../core/keys/authenticate.ts';
import type { RequestCancellation } from '../../core/pipeline/request-cancellation.ts';
import type { RunningStreams } from '../../core/pipeline/running-streams.ts';

export interface CancelRequestDeps {
  readonly authenticator: Authenticator;
  readonly runningStreams: RunningStreams;
}

const REQUEST_ID = /^req_[0-9a-f]{32}$/;
const NOBODY_LEFT = new AbortController().signal;

/**
 * `POST /v1/requests/{id}/cancel`: ends a running stream of the same key. It counts for no limit: who has used all of it must
 * still be able to end what runs. One 404 for what is over, never was, and is another key's.
 */
export function cancelRequestRoute({ authenticator, runningStreams }: CancelRequestDeps): Route {
  return {
    method: 'POST',
    path: '/v1/requests/{id}/cancel',
    async handle({ request, context, params: { id = '' } }) {
      const key = await authenticate(request.headers, authenticator);
      authorize(key, undefined, context.clientAddress);
      const stream = { keyId: key.id, requestId: id };
      const ended = REQUEST_ID.test(id) && (await runningStreams.cancel(stream, context.signal ?? NOBODY_LEFT));
      if (!ended) throw new GatewayError('not_found', 'This API key has no running stream with this id.');
      const cancellation: RequestCancellation = { id, object: 'request.cancellation', status: 'cancelled' };
      return jsonResponse(200, cancellation);
    },
  };
}
