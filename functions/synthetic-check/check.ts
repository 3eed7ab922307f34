import * as z from 'zod';
import { SYNTHETIC_CHECK_MODEL } from '../control/keys/index.ts';
import { StoreUnavailable } from '../kernel/errors/index.ts';
import { type HttpClient, HttpFailure } from '../kernel/http/index.ts';
import type { Clock } from '../kernel/tasks/index.ts';

/** Deadline of each request, including its body. */
const DEADLINE_MS = 10_000;
const MAX_RESPONSE_BYTES = 65_536;

const report = z.object({ request_id: z.string().startsWith('req_'), coverage: z.object({}) });

/** A request with the only response that is right. */
interface Probe {
  readonly name: 'harmless' | 'blocked';
  readonly path: string;
  readonly body: object;
  readonly status: number;
  readonly response: z.ZodType;
}

/** Both end at the gateway: no provider is called. */
const PROBES: readonly Probe[] = [
  {
    name: 'harmless',
    path: '/guard',
    body: { input: 'Good morning. Which day is it today?' },
    status: 200,
    response: z.object({ flagged: z.literal(false), svc: report.extend({ action: z.literal('allow') }) }),
  },
  {
    name: 'blocked',
    path: '/chat/completions',
    // The test text is blocked by every policy: docs/findings.md#cause-a-finding.
    body: { model: SYNTHETIC_CHECK_MODEL, messages: [{ role: 'user', content: 'SVC-TEST-BLOCK-7f3a' }] },
    status: 400,
    response: z.object({
      error: z.object({ type: z.literal('security_error'), code: z.literal('content_filter') }),
      svc: report.extend({ action: z.literal('block') }),
    }),
  },
];

export interface CheckDeps {
  /** The deployment's `base_url`, ending in `/v1`. */
  readonly baseUrl: string;
  readonly key: () => Promise<string>;
  readonly http: HttpClient;
  readonly clock: Clock;
}

export interface CheckResult {
  /** What was wrong, such as `blocked: status 502`; empty if all was right. Contains neither the key nor a response. */
  readonly failures: readonly string[];
  /** Of the slower request. */
  readonly durationMs: number;
}

/** Sends a harmless text and a test text that must be blocked, and checks status, error code and `svc` of the responses. */
export async function runCheck(deps: CheckDeps): Promise<CheckResult> {
  const failures: string[] = [];
  let durationMs = 0;
  for (const probe of PROBES) {
    const startedAt = deps.clock.monotonic();
    const failure = await failureOf(probe, deps);
    if (failure !== undefined) failures.push(`${probe.name}: ${failure}`);
    durationMs = Math.max(durationMs, deps.clock.monotonic() - startedAt);
  }
  return { failures, durationMs: Math.round(durationMs) };
}

async function failureOf(probe: Probe, deps: CheckDeps): Promise<string | undefined> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), DEADLINE_MS);
  try {
    const { status, text } = await send(probe, deps, deadline.signal);
    if (status !== probe.status) return `status ${status}`;
    return probe.response.safeParse(JSON.parse(text)).success ? undefined : 'another response';
  } catch (error) {
    if (deadline.signal.aborted) return `no response within ${DEADLINE_MS} ms`;
    return reasonOf(error);
  } finally {
    clearTimeout(timer);
  }
}

async function send({ path, body }: Probe, { baseUrl, key, http }: CheckDeps, signal: AbortSignal) {
  const response = await http.send({
    method: 'POST',
    url: `${baseUrl}${path}`,
    headers: { authorization: `Bearer ${await key()}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    headTimeoutMs: DEADLINE_MS,
    idleTimeoutMs: DEADLINE_MS,
    signal,
  });
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body) {
    bytes += piece.length;
    if (bytes > MAX_RESPONSE_BYTES) throw new SyntaxError('too long');
    pieces.push(piece);
  }
  return { status: response.status, text: Buffer.concat(pieces).toString() };
}

/** Without the message of an unexpected error, which may quote the key or a response. */
function reasonOf(error: unknown): string {
  if (error instanceof HttpFailure) return error.reason;
  if (error instanceof StoreUnavailable) return error.message;
  return error instanceof SyntaxError ? 'another response' : 'unexpected error';
}
