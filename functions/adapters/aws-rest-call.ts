import { hash } from 'node:crypto';
import type { Clock } from '../core/ports/clock.ts';
import type { HttpClient } from '../core/ports/http-client.ts';
import { readText } from './read-text.ts';
import { type AwsCredentials, signAwsRequest } from './sign-aws-request.ts';

export interface AwsRestCall {
  /** By its name in the service's reference, such as `s3:PutObject`: what it is told by, and what rights are derived from. */
  readonly operation: `${AwsRestService['service']}:${string}`;
  readonly method: 'GET' | 'PUT' | 'DELETE';
  /** As it is sent, percent-encoded. */
  readonly path: string;
  /** As it is sent, without `?`: strictly encoded, sorted by name. */
  readonly query?: string;
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface AwsRestAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A service of AWS that speaks REST, and how it is reached. */
export interface AwsRestService {
  readonly service: 'cloudfront' | 's3';
  readonly region: string;
  /** `https://cloudfront.amazonaws.com`, without a closing slash. */
  readonly endpoint: string;
  readonly credentials: () => Promise<AwsCredentials>;
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly pause: (ms: number) => Promise<void>;
}

const ATTEMPT_MS = 10_000;
/** Before each further attempt. */
const PAUSES_MS = [500, 2_000];
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const ERROR_CODE = /<Code>(\w{1,64})<\/Code>/;

/** What was refused, by its operation, its status and AWS's own code; nothing of what was sent or answered. */
export class AwsRefusal extends Error {
  readonly status: number;

  constructor({ operation }: AwsRestCall, { status, body }: AwsRestAnswer) {
    super(`${operation}: ${status} ${ERROR_CODE.exec(body)?.[1] ?? ''}`.trim());
    this.name = 'AwsRefusal';
    this.status = status;
  }
}

/**
 * A signed call: three attempts of ten seconds each where the other side is silent, failing (5xx) or busy (429). All calls
 * here may be made twice. @throws AwsRefusal, HttpFailure
 */
export async function callAwsRest(service: AwsRestService, call: AwsRestCall): Promise<AwsRestAnswer> {
  for (let attempt = 0; ; attempt += 1) {
    const pauseMs = PAUSES_MS[attempt];
    try {
      const answer = await send(service, call);
      if (answer.status < 300) return answer;
      const mayPass = answer.status >= 500 || answer.status === 429;
      if (!mayPass || pauseMs === undefined) throw new AwsRefusal(call, answer);
    } catch (error) {
      if (error instanceof AwsRefusal || pauseMs === undefined) throw error;
    }
    await service.pause(pauseMs);
  }
}

async function send(service: AwsRestService, { method, path, query = '', headers = {}, body = '' }: AwsRestCall) {
  const url = new URL(service.endpoint);
  const { service: name, region, clock } = service;
  // S3 asks for the sum of what it is sent besides.
  const sum = name === 's3' && { 'x-amz-content-sha256': hash('sha256', body, 'hex') };
  const request = { method, host: url.host, path, query, headers: { ...headers, ...sum }, body };
  const signed = signAwsRequest(request, await service.credentials(), { service: name, region }, clock.now());
  const response = await service.http.send({
    method,
    url: `${url.origin}${path}${query === '' ? '' : `?${query}`}`,
    headers: signed,
    ...(method === 'PUT' && { body }),
    headTimeoutMs: ATTEMPT_MS,
    idleTimeoutMs: ATTEMPT_MS,
  });
  const text = await readText(response.body, MAX_ANSWER_BYTES);
  return { status: response.status, headers: response.headers, body: text };
}
