import type { Asked, Kind, SoakKey } from './ledger.ts';
import { markOf } from './provider.ts';

/** Long enough for every stated deadline on a busy machine; what takes longer hangs. */
const PATIENCE_MS = 45_000;
const LEAVES_AFTER_MS = 250;

export interface Case {
  readonly asked: Asked;
  readonly key: SoakKey;
  readonly model: string;
  /** What the user says behind the mark. */
  readonly says: string;
}

export interface AskOptions {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly now: () => number;
  /** For a stream that its caller cancels: called with its id once the id is known. */
  readonly onId?: (requestId: string) => void;
}

/** Sends one request and records its result as the client sees it. */
export async function ask({ asked, key, model, says }: Case, { baseUrl, now, onId }: AskOptions): Promise<void> {
  const leaving = new AbortController();
  const signal = AbortSignal.any([leaving.signal, AbortSignal.timeout(PATIENCE_MS)]);
  try {
    const response = await fetch(`${baseUrl}${asked.kind === 'messages' ? '/messages' : '/chat/completions'}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key.secret}`,
        'content-type': 'application/json',
        ...(asked.sessionId !== undefined && { 'x-session-id': asked.sessionId }),
      },
      body: JSON.stringify(bodyOf(asked, model, textOf(asked.id, says))),
      signal,
    });
    asked.status = response.status;
    const requestId = response.headers.get('x-request-id');
    if (requestId !== null) {
      asked.requestId = requestId;
      onId?.(requestId);
    }
    const route = response.headers.get('x-svc-route');
    if (route !== null) asked.route = route;
    if (asked.kind === 'cancelled') setTimeout(() => leaving.abort(), LEAVES_AFTER_MS);
    read(asked, await response.text(), response.headers.get('content-type') ?? '');
  } catch {
    asked.ending = leaving.signal.aborted ? 'left' : 'broken';
  }
  asked.endedAt = now();
}

export function textOf(caseId: number, says: string): string {
  return `${markOf(caseId)} ${says}`;
}

function bodyOf({ kind, stream }: { kind: Kind; stream: boolean }, model: string, content: string): object {
  const tools = [
    {
      type: 'function',
      function: { name: 'note', parameters: { type: 'object', properties: { a: { type: 'string' } } } },
    },
  ];
  return {
    model,
    messages: [{ role: 'user', content }],
    max_tokens: 96,
    stream,
    ...(kind === 'tools' && { tools }),
  };
}

function read(asked: Asked, text: string, type: string): void {
  if (type.startsWith('text/event-stream')) {
    readStream(asked, text);
    return;
  }
  const body = JSON.parse(text);
  if (body.error !== undefined) {
    asked.code = codeOf(body);
    asked.ending = 'error';
    return;
  }
  const [choice] = body.choices;
  const call = choice.message.tool_calls?.[0]?.function.arguments;
  asked.text = (choice.message.content ?? '') + (call ?? '');
  asked.ending = 'whole';
}

/** Chat completions end with `[DONE]`, messages with `message_stop`; an error event replaces either. */
function readStream(asked: Asked, text: string): void {
  asked.ending = 'broken';
  asked.text = '';
  for (const line of text.split('\n')) {
    if (!line.startsWith('data: ')) continue;
    const data = line.slice('data: '.length);
    if (data === '[DONE]') {
      asked.ending = 'whole';
      continue;
    }
    const event = JSON.parse(data);
    if (event.error !== undefined) {
      asked.code = codeOf(event);
      asked.ending = 'error';
      return;
    }
    if (event.type === 'message_stop') asked.ending = 'whole';
    const delta = event.choices?.[0]?.delta;
    asked.text += delta?.content ?? delta?.tool_calls?.[0]?.function?.arguments ?? event.delta?.text ?? '';
  }
}

function codeOf({ error, svc }: { error: { code?: string; type: string }; svc?: unknown }): string {
  return error.code ?? (svc === undefined ? error.type : 'content_filter');
}
