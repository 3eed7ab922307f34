import type { OutsideVerdict } from '../../inspection/index.ts';
import { type HttpClient, HttpFailure, type HttpRequest } from '../../kernel/http/index.ts';
import { boundJson } from '../../kernel/json/index.ts';
import { readText } from './incoming-body.ts';

export const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

export type DetectorFailure = Extract<OutsideVerdict, { failure: unknown }>;
export type DetectorFinding = Extract<OutsideVerdict, { findings: unknown }>['findings'][number];

/** The JSON of a detector's 2xx response, or the failure. Never rejects, and never repeats text of a response. */
export async function callDetector(
  http: HttpClient,
  request: HttpRequest,
): Promise<{ json: unknown } | DetectorFailure> {
  try {
    const response = await http.send(request);
    const text = await readText(response.body, MAX_RESPONSE_BYTES);
    if (response.status < 200 || response.status > 299) return statusFailure(response.status, response.headers);
    boundJson(text);
    return { json: JSON.parse(text) };
  } catch (error) {
    if (error instanceof HttpFailure) return httpFailure(error);
    // Too large, too much to parse, or not JSON: the parser's message would quote the response.
    return { failure: 'unreadable' };
  }
}

/** `aborted` means the deadline: other aborts have no reader of the result. */
const HTTP_FAILURES: Readonly<Record<HttpFailure['reason'], DetectorFailure['failure']>> = {
  timeout: 'timeout',
  aborted: 'timeout',
  connect: 'unreachable',
  reset: 'unreachable',
};

export function httpFailure({ reason }: HttpFailure): DetectorFailure {
  return { failure: HTTP_FAILURES[reason] };
}

export function statusFailure(status: number, headers: Readonly<Record<string, string>>): DetectorFailure {
  // AWS puts its error name there, followed by a URL: `AccessDeniedException:http://...`.
  const name = /^[A-Za-z]{1,64}/.exec(headers['x-amzn-errortype'] ?? '')?.[0];
  const detail = name === undefined ? `status ${status}` : `status ${status} ${name}`;
  if (status === 429) return { failure: 'throttled', detail };
  return { failure: status >= 400 && status < 500 ? 'refused' : 'failed', detail };
}
