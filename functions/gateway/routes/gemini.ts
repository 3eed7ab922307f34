import { GatewayError } from '../../core/errors.ts';
import type { Route, RoutedRequest } from '../../core/http/router.ts';
import { GEMINI_FRAMING } from '../../core/protocols/gemini/gemini-answer-format.ts';
import { geminiError } from '../../core/protocols/gemini/gemini-error.ts';
import { geminiProtocol } from '../../core/protocols/gemini/gemini-protocol.ts';
import { type GenerationRouteDeps, generationRoute } from '../generation-route.ts';

const STREAM = 'streamGenerateContent';
const METHODS = ['generateContent', STREAM];

/** `POST /v1beta/models/{model}:generateContent` and `:streamGenerateContent`: Google's Gemini API, where its SDK looks. */
export function geminiBetaRoute(deps: GenerationRouteDeps): Route {
  return routeAt('/v1beta/models/{call}', deps);
}

/** The same under `/v1`. */
export function geminiRoute(deps: GenerationRouteDeps): Route {
  return routeAt('/v1/models/{call}', deps);
}

function routeAt(path: string, deps: GenerationRouteDeps): Route {
  return generationRoute(
    {
      path,
      permission: 'chat_completions',
      errorShape: geminiError,
      framing: GEMINI_FRAMING,
      spoken: (routed) => {
        const { model, method } = callOf(routed);
        const stream = method === STREAM;
        return { protocol: geminiProtocol(model, stream), wantsStream: () => stream };
      },
    },
    deps,
  );
}

/** @throws GatewayError `not_found` for another method, `invalid_value` for a stream in another form than events */
function callOf({ params, request }: RoutedRequest): { model: string; method: string } {
  const { call = '' } = params;
  const colon = call.lastIndexOf(':');
  const method = call.slice(colon + 1);
  if (colon <= 0 || !METHODS.includes(method)) {
    throw new GatewayError('not_found', `Unknown method. Of a model these are served: ${METHODS.join(', ')}.`);
  }
  if (method === STREAM && new URL(request.url).searchParams.get('alt') !== 'sse') {
    throw new GatewayError('invalid_value', "Streams are sent as events: add '?alt=sse'.", { param: 'alt' });
  }
  return { model: call.slice(0, colon), method };
}
