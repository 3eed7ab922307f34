import type { Json } from './components.ts';

/** Response headers under `components/headers`. Names are case-insensitive. */
export const HEADERS: Readonly<Record<string, Json>> = {
  'X-Svc-Request-Id': header('Id of the request.'),
  'X-Request-Id': header("The same id, for OpenAI's SDKs."),
  'X-Trace-Id': header('Trace of the request, 32 hexadecimal digits.'),
  'X-Amzn-RequestId': header("The same id, for AWS's SDKs; under `/model`."),
  'X-Amzn-ErrorType': header("The exception that AWS's SDKs throw."),
  'Request-Id': header("The same id, for Anthropic's SDKs; under `/v1/messages`."),
  'X-Svc-Threat-Score': header('Threat score, 0 to 1, at the time of the status; on a stream, of the input.', 'number'),
  'X-Svc-Action': header(
    'The action, if the response is plain text or audio and has no `svc`: `allow`, `flag`, `redact` or `block`.',
  ),
  'X-Svc-Threats': header('Types of findings, if the response is plain text or audio: `indirect_injection, secret`.'),
  'X-Svc-Processing-Time': header("The gateway's own time until the status, milliseconds.", 'number'),
  'X-Svc-Session-Id': header('The session: `X-Session-ID` of the request, or the open session of its end user.'),
  'X-Svc-Route': header(
    'The targets in order of use; the last one returned the response: `openai/gpt-6-sol;429, anthropic/claude-sonnet-5`.',
  ),
  'X-Svc-Warnings': header('The number of entries in `svc.warnings`; absent if there are none.'),
  'X-Svc-Upstream-Request-Id': header("The provider's own id of its last call, for its support."),
  ...upstreamRateLimits(),
  'Server-Timing': header(
    "The gateway's own time by phase: `auth`, `admit`, `inspect`, and `outside` for outside detectors.",
  ),
  'X-Svc-Idempotent-Replay': header(
    '`true` if the response is the stored response to an earlier request with the same `Idempotency-Key`.',
  ),
  'X-Svc-Cache-Status': header(
    'With `X-Svc-Cache`: `hit` if the response was stored, `miss` if not, `bypass` if none was looked for.',
  ),
  'X-RateLimit-Limit-Requests': header("`requests` of the key's rate limit.", 'integer'),
  'X-RateLimit-Remaining-Requests': header('Requests that would be admitted now.', 'integer'),
  'X-RateLimit-Reset-Requests': header('Time until the limit is full again, such as `250ms`, `1s` or `6m0s`.'),
  ETag: header('The version of the policy, in quotation marks.'),
  Location: header('The target of the redirect.'),
  'X-RateLimit-Limit-Tokens': header("`tokens` of the key's token limit, if it has one.", 'integer'),
  'X-RateLimit-Remaining-Tokens': header(
    'Tokens that would be admitted now, without those reserved by running requests.',
    'integer',
  ),
  'X-RateLimit-Reset-Tokens': header('Time until the token limit is full again, such as `250ms`, `1s` or `6m0s`.'),
  'Retry-After': header('Seconds to wait, rounded up.', 'integer'),
  'Retry-After-Ms': header("A provider's wait in milliseconds, if it sends one."),
  'X-Should-Retry': header(
    "`false` where OpenAI's SDKs must not retry automatically. At a provider's error: its value, if it sends one.",
  ),
};

/** The provider's rate limits, by the gateway's names. */
function upstreamRateLimits(): Record<string, Json> {
  const described = {
    Limit: 'limit',
    Remaining: 'rest of the limit',
    Reset: 'time until the limit is full again, or when',
  };
  const kinds = ['Requests', 'Tokens', 'Input-Tokens', 'Output-Tokens'];
  const entries = Object.entries(described).flatMap(([value, what]) =>
    kinds.map((kind) => [
      `X-Upstream-RateLimit-${value}-${kind}`,
      header(`The provider's ${what}, of ${kind.toLowerCase().replace('-', ' ')}, if it reports one.`),
    ]),
  );
  return Object.fromEntries(entries);
}

/** Headers of every response. */
export const ON_ALL = ['X-Svc-Request-Id', 'X-Request-Id', 'X-Trace-Id'];
/** Headers of a response of a route that inspects. */
export const ON_INSPECTED = [
  ...ON_ALL,
  'X-Svc-Threat-Score',
  'X-Svc-Processing-Time',
  'X-Svc-Session-Id',
  'X-Svc-Route',
  'X-Svc-Warnings',
  'X-Svc-Upstream-Request-Id',
  ...Object.keys(upstreamRateLimits()),
  'Server-Timing',
  'X-Svc-Idempotent-Replay',
  'X-Svc-Cache-Status',
  'X-RateLimit-Limit-Requests',
  'X-RateLimit-Remaining-Requests',
  'X-RateLimit-Reset-Requests',
  'X-RateLimit-Limit-Tokens',
  'X-RateLimit-Remaining-Tokens',
  'X-RateLimit-Reset-Tokens',
];
/** Request headers under `components/parameters`. */
export const REQUEST_HEADERS: Readonly<Record<string, Json>> = {
  XSessionID: trackingHeader('X-Session-ID', 'The name of a session of this key; groups requests.'),
  XEndUserID: trackingHeader('X-End-User-ID', 'The id of the end user that the request is for.'),
  XUserID: trackingHeader('X-User-ID', 'Same as `X-End-User-ID`, if that is absent.'),
  XEnvironment: trackingHeader(
    'X-Environment',
    "A tag for records and events, by default the key's environment. It selects neither credentials nor policy.",
  ),
  XAppVersion: trackingHeader('X-App-Version', 'A tag for records and events.'),
  XSvcTags: {
    name: 'X-Svc-Tags',
    in: 'header',
    description:
      'Tags for records and totals: at most ten, such as `feature=search, tier=gold`. Names of 1 to 64 letters, digits, `_`, `.` and `-`; values of 1 to 64 visible ASCII characters without comma. A tag that the key has keeps its value.',
    schema: { type: 'string' },
  },
  XSvcCache: {
    name: 'X-Svc-Cache',
    in: 'header',
    description:
      'Such as `ttl=3600`: a stored response to the same request takes the place of the call of the provider if it is younger than these 1 to 86,400 seconds. Used where the policy has `cache`.',
    schema: { type: 'string', pattern: '^ttl=[1-9][0-9]{0,4}$' },
  },
  IdempotencyKey: trackingHeader(
    'Idempotency-Key',
    'Repeating the request within 24 h returns the first response again. Ignored for streams and speech.',
  ),
};

const WITH_BODY = ['XSvcCache', 'IdempotencyKey'];

/** References to the headers that describe a request. Some are for requests with a body. */
export function trackingHeaders(hasBody: boolean): Json[] {
  return Object.keys(REQUEST_HEADERS)
    .filter((name) => hasBody || !WITH_BODY.includes(name))
    .map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** References to headers under `components`. */
export function headerRefs(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function header(description: string, type = 'string'): Json {
  return { description, schema: { type } };
}

function trackingHeader(name: string, description: string): Json {
  return {
    name,
    in: 'header',
    description: `${description} At most 256 visible ASCII characters.`,
    schema: { type: 'string', maxLength: 256 },
  };
}
