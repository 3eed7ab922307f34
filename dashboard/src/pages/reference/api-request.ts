import { send } from '../../api/client.ts';
import { chunksOf } from '../../api/streams.ts';
import { quoted } from '../requests/to-curl.ts';
import type { Operation } from './openapi-document.ts';

/** A request without its key, for this page and for curl. */
export interface ApiRequest {
  readonly method: string;
  /** Below the origin, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export const JSON_TYPE = 'application/json';
const FORM_TYPE = 'multipart/form-data';

/** The request with the values of parameters by name. A path parameter without a value stays `{name}`. */
export function toRequest(operation: Operation, values: Readonly<Record<string, string>>, body: string): ApiRequest {
  const query = new URLSearchParams();
  const hasJson = JSON_TYPE in (operation.requestBody?.content ?? {});
  const headers: Record<string, string> = hasJson ? { 'Content-Type': JSON_TYPE } : {};
  let { path } = operation;
  for (const { name, in: place } of operation.parameters) {
    const value = values[name] ?? '';
    if (value === '') continue;
    // Gemini's methods follow a colon, as in `models/NAME:generateContent`.
    if (place === 'path') path = path.replace(`{${name}}`, () => encodeURIComponent(value).replaceAll('%3A', ':'));
    else if (place === 'query') query.append(name, value);
    else headers[name] = value;
  }
  const address = query.size === 0 ? path : `${path}?${query}`;
  return { method: operation.method, path: address, headers, body: hasJson ? body : undefined };
}

/** Why this page cannot send an operation; undefined if it can. */
export function obstacleOf({ requestBody, security = [], responses }: Operation): string | undefined {
  if (security.length > 0 && security.every((scheme) => 'dashboardSession' in scheme))
    return 'It needs the session cookie of the dashboard.';
  if (Object.keys(responses).some((status) => status.startsWith('3'))) return 'It redirects the browser.';
  return FORM_TYPE in (requestBody?.content ?? {}) ? 'It takes a form with a file.' : undefined;
}

/** The request for a shell. The key is the variable `SVC_API_KEY`. */
export function toCurl({ requestBody, security = [] }: Operation, request: ApiRequest, origin: string): string {
  const { method, path, headers, body } = request;
  const { properties = {}, required = [] } = requestBody?.content[FORM_TYPE]?.schema ?? {};
  return [
    `curl -X ${method} ${quoted(`${origin}${path}`)}`,
    ...(security.length === 0 ? [] : ['-H "Authorization: Bearer $SVC_API_KEY"']),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
    ...required.map((name) => `-F ${name}=${properties[name]?.format === 'binary' ? '@FILE' : 'VALUE'}`),
  ].join(' \\\n  ');
}

/** A response as far as it has arrived. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: readonly string[];
  readonly text: string;
  readonly totalMs: number | undefined;
}

/** More characters would make the page slow. */
const MAX_SHOWN = 200_000;
const TEXT_TYPES = /^(?:text\/|application\/json)/;

/**
 * Calls this origin with a key, without the session, and yields the response as it grows. Throws an ApiError if none arrives.
 * An empty key is not sent.
 */
export async function* callApi(
  { path, body, headers, method }: ApiRequest,
  key: string,
  signal: AbortSignal,
): AsyncGenerator<ApiResponse, void> {
  const startedAt = performance.now();
  const response = await send(path, {
    method,
    credentials: 'omit',
    redirect: 'error',
    headers: { ...headers, ...(key === '' ? {} : { Authorization: `Bearer ${key}` }) },
    ...(body === undefined ? {} : { body }),
    signal,
  });
  const head = { status: response.status, headers: [...response.headers].map((header) => header.join(': ')) };
  const type = response.headers.get('content-type') ?? '';
  const decoder = new TextDecoder();
  let text = TEXT_TYPES.test(type) || type === '' ? '' : `A body of the type ${type} is not shown.`;
  if (text !== '' || response.body === null) await response.body?.cancel();
  else {
    for await (const bytes of chunksOf(response.body)) {
      text += decoder.decode(bytes, { stream: true });
      if (text.length > MAX_SHOWN) break;
      yield { ...head, text, totalMs: undefined };
    }
  }
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n… The rest is not shown.` : indented(text);
  yield { ...head, text: shown, totalMs: performance.now() - startedAt };
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
