import { ApiError, send, toApiError } from '../../api/client.ts';
import type { Svc } from './verdict.ts';

export interface ModelAnswer {
  readonly text: string;
  readonly svc: Svc | undefined;
  readonly finishReason: string | undefined;
  /** Milliseconds since the request left; undefined until then. */
  readonly firstTextMs: number | undefined;
  readonly totalMs: number | undefined;
}

/** A request that the gateway blocked: an answer like another. */
export interface Blocked {
  readonly blocked: Svc;
}

interface Chunk {
  readonly choices?: readonly {
    readonly delta?: { readonly content?: string | null; readonly refusal?: string | null };
    readonly finish_reason?: string | null;
  }[];
  readonly svc?: Svc;
  readonly error?: { readonly message?: string; readonly code?: string };
}

/**
 * Asks the gateway as an application does, with a key of its own and without the session, and tells the answer as it grows.
 * Throws an ApiError; a block of the request is told as an answer.
 */
export async function* askModel(
  key: string,
  body: { readonly model: string; readonly messages: readonly unknown[] },
  signal: AbortSignal,
): AsyncGenerator<ModelAnswer | Blocked, void> {
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
  let answer: ModelAnswer = {
    text: '',
    svc: undefined,
    finishReason: undefined,
    firstTextMs: undefined,
    totalMs: undefined,
  };
  for await (const data of eventData(chunksOf(response.body))) {
    if (data === '[DONE]') break;
    const chunk = JSON.parse(data) as Chunk;
    if (chunk.error !== undefined)
      throw new ApiError(200, chunk.error.code ?? 'unknown', chunk.error.message ?? 'The stream broke off.');
    const [choice] = chunk.choices ?? [];
    const more = choice?.delta?.content ?? choice?.delta?.refusal ?? '';
    answer = {
      text: answer.text + more,
      svc: chunk.svc ?? answer.svc,
      finishReason: choice?.finish_reason ?? answer.finishReason,
      firstTextMs: answer.firstTextMs ?? (more === '' ? undefined : passedMs()),
      totalMs: undefined,
    };
    yield answer;
  }
  yield { ...answer, totalMs: passedMs() };
}

/** What the gateway says of a request that it blocked; undefined for any other refusal. */
async function readBlock(response: Response): Promise<Svc | undefined> {
  const body: unknown = await response.json().catch(() => undefined);
  return (body as { svc?: Svc } | undefined)?.svc;
}

/** The `data` of each event of a stream as it comes, however the network cut it; comments and other fields are skipped. */
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

/** The chunks of a body; ends the request where the reader of them stops before its end. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
