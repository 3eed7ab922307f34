import type { HttpResponse } from '../../kernel/http/index.ts';
import type { ChatCall, UpstreamHead } from '../routing/index.ts';
import { bytesWithoutKey, withoutKey } from './provider-responses.ts';

/**
 * Headers with a provider's id of a call; the first one counts. Anthropic: https://platform.claude.com/docs/en/api/errors#request-id;
 * Azure's own id comes before OpenAI's, since its support asks for it; OpenAI and most compatible servers:
 * https://platform.openai.com/docs/api-reference/debugging-requests; OpenRouter: https://openrouter.ai/docs/api/reference/streaming;
 * AWS: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html
 */
const REQUEST_ID_HEADERS = [
  'request-id',
  'apim-request-id',
  'x-request-id',
  'x-ms-request-id',
  'x-generation-id',
  'x-amzn-requestid',
];
/** Such as `req_011CSHoEeqs5C35K2UUqR7Fy`, or a UUID. */
const REQUEST_ID = /^[\w.=+-]{1,128}$/;

const KINDS = ['requests', 'tokens', 'input-tokens', 'output-tokens'];
const VALUES = ['limit', 'remaining', 'reset'];
const COUNT = /^\d{1,15}$/;
/** A duration (`6m0s`, `17ms`), a number of seconds or milliseconds, or a time (RFC 3339). */
const RESET =
  /^(?:(?:\d{1,9}(?:\.\d{1,9})?(?:ms|[dhms])){1,4}|\d{1,15}(?:\.\d{1,9})?|\d{4}-\d{2}-\d{2}T[\d:.]{8,18}(?:Z|[+-]\d{2}:\d{2}))$/;

/**
 * The gateway's name of each rate limit header of a provider. OpenAI and compatible servers:
 * https://platform.openai.com/docs/guides/rate-limits#rate-limits-in-headers; Anthropic:
 * https://platform.claude.com/docs/en/api/rate-limits#response-headers; without a kind, OpenRouter:
 * https://openrouter.ai/docs/api/reference/limits
 */
const RATE_LIMITS: ReadonlyMap<string, { readonly name: string; readonly format: RegExp }> = new Map(
  VALUES.flatMap((value) => {
    const format = value === 'reset' ? RESET : COUNT;
    const entry = (header: string, kind: string) =>
      [header, { name: `x-upstream-ratelimit-${value}-${kind}`, format }] as const;
    // The general ones come first: a later one with a kind replaces them.
    const named = KINDS.flatMap((kind) => [
      entry(`x-ratelimit-${value}-${kind}`, kind),
      entry(`anthropic-ratelimit-${kind}-${value}`, kind),
    ]);
    return [entry(`x-ratelimit-${value}`, 'requests'), ...named];
  }),
);

/** The provider's request id if it has the form of one; else null. */
export function requestIdOf(id: string | undefined, apiKey?: string): string | null {
  return id !== undefined && REQUEST_ID.test(id) && withoutKey(id, apiKey) === id ? id : null;
}

/** What a provider's response head reports. A header in another format than documented is left out. */
export function readUpstreamHead(headers: Readonly<Record<string, string>>, apiKey?: string): UpstreamHead {
  const rateLimits: Record<string, string> = {};
  for (const [header, { name, format }] of RATE_LIMITS) {
    const value = headers[header];
    if (value !== undefined && format.test(value)) rateLimits[name] = value;
  }
  const named = REQUEST_ID_HEADERS.find((name) => headers[name] !== undefined);
  return { requestId: requestIdOf(named && headers[named], apiKey), rateLimits };
}

/** A provider's response with that key redacted in its body; reports its head to the call. */
export function receiveResponse(
  { status, headers, body }: HttpResponse,
  { onHead, onKey }: Pick<ChatCall, 'onHead' | 'onKey'>,
  apiKey: string | undefined,
): HttpResponse {
  onHead?.(readUpstreamHead(headers, apiKey));
  return { status, headers, body: bytesWithoutKey(body, apiKey, onKey) };
}
