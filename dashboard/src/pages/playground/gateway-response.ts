import { type Action, ApiError, type Severity, send, type ThreatType, toApiError } from '../../api/client.ts';
import { chunksOf } from '../../api/streams.ts';
import { threatName } from '../../components/labels.ts';
import type { MarkedRange } from '../../components/text-box.tsx';
import { textAt } from '../../components/text-ranges.ts';

/** A finding in the gateway's response. */
export interface Finding {
  readonly type: ThreatType;
  readonly category: string;
  readonly score: number;
  readonly severity: Severity;
  readonly action: Action;
  readonly rule: string;
  readonly message: string;
  readonly reasons?: readonly string[];
  readonly location: {
    readonly part: 'input' | 'output';
    readonly message: number | null;
    readonly field: string;
    readonly start: number;
    readonly end: number;
  };
  readonly owasp: string | null;
  readonly atlas: string | null;
}

/** The field `svc` of a response. */
export interface Svc {
  readonly threat_score: number;
  readonly action: Action;
  readonly detected_threats: readonly Finding[];
  readonly processing_time_ms: number;
  readonly request_id: string;
  readonly coverage: { readonly skipped: readonly string[] };
}

export interface FoundText {
  readonly field: string;
  readonly text: string;
  /** Empty if the text is redacted. */
  readonly ranges: readonly MarkedRange[];
  /** The findings' offsets are of the text before redaction. */
  readonly isRedacted: boolean;
}

/** Texts with findings and the findings' ranges; `answers` has the response's text by channel, after redaction. */
export function foundTexts(svc: Svc, body: unknown, answers: Readonly<Record<string, string>> = {}): FoundText[] {
  const numbered = svc.detected_threats.map((finding, at) => ({
    ...finding,
    number: svc.detected_threats.length > 1 ? at + 1 : undefined,
  }));
  const byField = Map.groupBy(numbered, ({ location }) => location.field);
  return [...byField].flatMap(([field, findings]) => {
    const isAnswer = field in answers && findings.some(({ location }) => location.part === 'output');
    const text = isAnswer ? answers[field] : textAt(body, field);
    if (text === undefined) return [];
    const isRedacted = isAnswer && findings.some(({ action }) => action === 'redact');
    const ranges = findings.map(({ location: { start, end }, type, rule, score, number }) => ({
      start,
      end,
      number,
      title: `${threatName(type)}, ${score.toFixed(2)}: ${rule}`,
    }));
    return [{ field, text, ranges: isRedacted ? [] : ranges, isRedacted }];
  });
}

/** A call of a tool that the model asks for; `arguments` are written as JSON. */
export interface AskedCall {
  readonly name: string;
  readonly arguments: string;
}

export interface ModelResponse {
  readonly text: string;
  readonly calls: readonly AskedCall[];
  readonly svc: Svc | undefined;
  readonly finishReason: string | undefined;
  /** Milliseconds since the request was sent; undefined until the first text. */
  readonly firstTextMs: number | undefined;
  readonly totalMs: number | undefined;
}

/** A blocked request: a result, not an error. */
export interface Blocked {
  readonly blocked: Svc;
}

/** A piece of a call: its name is whole, its arguments come in pieces. */
interface CallPart {
  readonly index: number;
  readonly function?: { readonly name?: string; readonly arguments?: string };
}

interface Chunk {
  readonly choices?: readonly {
    readonly delta?: {
      readonly content?: string | null;
      readonly refusal?: string | null;
      readonly tool_calls?: readonly CallPart[];
    };
    readonly finish_reason?: string | null;
  }[];
  readonly svc?: Svc;
  readonly error?: { readonly message?: string; readonly code?: string };
}

/**
 * Calls the gateway with an application's key, without the session, and yields the response as it grows.
 * Throws an ApiError; a blocked request is yielded as a result.
 */
export async function* askModel(
  key: string,
  body: { readonly model: string; readonly messages: readonly unknown[] },
  signal: AbortSignal,
): AsyncGenerator<ModelResponse | Blocked, void> {
  const startedAt = performance.now();
  const passedMs = () => performance.now() - startedAt;
  const response = await send('/v1/chat/completions', {
    method: 'POST',
    credentials: 'omit',
    redirect: 'error',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
    body: JSON.stringify({ ...body, stream: true }),
    signal,
  });
  if (!response.ok || response.body === null) {
    const blocked = await readBlock(response.clone());
    if (blocked === undefined) throw await toApiError(response);
    yield { blocked };
    return;
  }
  let answer: ModelResponse = {
    text: '',
    calls: [],
    svc: undefined,
    finishReason: undefined,
    firstTextMs: undefined,
    totalMs: undefined,
  };
  for await (const data of eventData(chunksOf(response.body))) {
    if (data === '[DONE]') break;
    const chunk = JSON.parse(data) as Chunk;
    if (chunk.error !== undefined) {
      const { code = 'unknown', message = 'The stream ended with an error.' } = chunk.error;
      throw new ApiError(200, code, message, undefined, response.headers.get('x-request-id') ?? undefined);
    }
    const [choice] = chunk.choices ?? [];
    const more = choice?.delta?.content ?? choice?.delta?.refusal ?? '';
    answer = {
      text: answer.text + more,
      calls: (choice?.delta?.tool_calls ?? []).reduce(withPart, answer.calls),
      svc: chunk.svc ?? answer.svc,
      finishReason: choice?.finish_reason ?? answer.finishReason,
      firstTextMs: answer.firstTextMs ?? (more === '' ? undefined : passedMs()),
      totalMs: undefined,
    };
    yield answer;
  }
  yield { ...answer, totalMs: passedMs() };
}

/** The calls so far, with another piece. */
export function withPart(calls: readonly AskedCall[], { index, function: part = {} }: CallPart): readonly AskedCall[] {
  const { name, arguments: written } = calls[index] ?? { name: '', arguments: '' };
  const changed = { name: part.name ?? name, arguments: written + (part.arguments ?? '') };
  return index >= calls.length ? [...calls, changed] : calls.with(index, changed);
}

/** The `svc` field of a blocked request's error; undefined for any other error. */
async function readBlock(response: Response): Promise<Svc | undefined> {
  const body: unknown = await response.json().catch(() => undefined);
  return (body as { svc?: Svc } | undefined)?.svc;
}

/** Yields the `data` of each event of a stream; skips comments and other fields. */
export async function* eventData(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of stream) {
    rest += decoder.decode(bytes, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() as string;
    for (const line of lines) {
      // The gateway writes each event's data on one line.
      if (line.startsWith('data:')) yield line.slice('data:'.length).trim();
    }
  }
}
