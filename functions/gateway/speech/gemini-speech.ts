import { GatewayError } from '../../core/base/errors.ts';
import type { RoutedRequest } from '../../core/http/router.ts';
import { GEMINI_FRAMING } from '../../core/protocols/gemini/gemini-answer-format.ts';
import { geminiProtocol } from '../../core/protocols/gemini/gemini-protocol.ts';
import type { GeminiBody } from '../../core/protocols/gemini/read-gemini-request.ts';
import type { Speech } from './speech.ts';

const STREAM = 'streamGenerateContent';
const METHODS = ['generateContent', STREAM];

/** Google's Gemini API, which has model and method in the address. */
export const GEMINI_SPEECH: Speech<GeminiBody> = {
  framing: GEMINI_FRAMING,
  spoken: (routed) => {
    const { model, method } = callOf(routed);
    const stream = method === STREAM;
    return { protocol: geminiProtocol(model, stream), wantsStream: () => stream };
  },
};

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
