import { type Answer, jsonAnswer, streamAnswer } from './answer.ts';
import type { Behaviour } from './behaviour.ts';
import { openaiHeaders } from './openai-answer.ts';
import type { ProviderRequest } from './provider-request.ts';
import { replyId } from './reply-content.ts';
import { eventText, type NumberedEvent, responseAndEvents } from './responses-answer.ts';

type Json = Record<string, unknown>;

interface Stored {
  response: Json;
  readonly events: readonly NumberedEvent[];
  readonly input: unknown;
  readonly isBackground: boolean;
  /** Calls that still see it in progress. */
  pendingPolls: number;
}

/** A bench creates many. */
const MOST = 1_000;
const PATH = /\/responses\/([^/]+)(\/cancel|\/input_items)?$/;

/** The responses that the mock stores, as https://platform.openai.com/docs/api-reference/responses documents their calls. */
export class StoredResponses {
  private readonly byId = new Map<string, Stored>();

  /** A new response, which is stored unless the request has `store: false`. */
  create(behaviour: Behaviour, request: ProviderRequest): Answer {
    const { response, events } = responseAndEvents(behaviour, request);
    const { told, stream } = request;
    const isBackground = told.background === true;
    const stored = { response, events, input: told.input, isBackground, pendingPolls: behaviour.pendingPolls ?? 0 };
    if (told.store !== false) this.byId.set(String(response.id), stored);
    const [oldest] = this.byId.keys();
    if (this.byId.size > MOST && oldest !== undefined) this.byId.delete(oldest);
    if (stream) return streamAnswer(openaiHeaders(), events.map(eventText));
    return jsonAnswer(200, openaiHeaders(), isBackground ? inState(response, 'queued') : response);
  }

  /** The response to a call about a stored response; undefined for any other call. */
  answer(method: string, url: string): Answer | undefined {
    const { pathname, searchParams } = new URL(url, 'http://mock');
    const [, id = '', call = ''] = PATH.exec(pathname) ?? [];
    if (id === '' || (method === 'POST' && call !== '/cancel')) return undefined;
    const stored = this.byId.get(id);
    if (stored === undefined) return refusal(404, `Response with id '${id}' not found.`);
    if (method === 'DELETE') {
      this.byId.delete(id);
      return jsonAnswer(200, openaiHeaders(), { id, object: 'response.deleted', deleted: true });
    }
    if (call === '/input_items') return jsonAnswer(200, openaiHeaders(), pageOf(stored.input, searchParams));
    if (call === '/cancel') {
      if (!stored.isBackground) return refusal(400, 'Only background responses can be cancelled.');
      stored.response = { ...inState(stored.response, 'cancelled'), usage: stored.response.usage };
      stored.pendingPolls = 0;
      return jsonAnswer(200, openaiHeaders(), stored.response);
    }
    if (searchParams.get('stream') === 'true') {
      const after = Number(searchParams.get('starting_after') ?? -1);
      const later = stored.events.filter(({ sequence_number: number }) => number > after);
      return streamAnswer(openaiHeaders(), later.map(eventText));
    }
    stored.pendingPolls -= 1;
    const isDone = stored.pendingPolls < 0;
    return jsonAnswer(200, openaiHeaders(), isDone ? stored.response : inState(stored.response, 'in_progress'));
  }
}

function inState(response: Json, status: string): Json {
  return { ...response, status, output: [], usage: null, background: true };
}

function refusal(status: number, message: string): Answer {
  return jsonAnswer(status, openaiHeaders(), {
    error: { message, type: 'invalid_request_error', param: null, code: null },
  });
}

function pageOf(input: unknown, query: URLSearchParams): Json {
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : (input as Json[]);
  const all = items.map((item, at) => ({
    id: `msg_in_${at}`,
    type: 'message',
    ...item,
    content: partsOf(item.content),
  }));
  const from = all.findIndex(({ id }) => id === query.get('after')) + 1;
  const data = all.slice(from, from + Number(query.get('limit') ?? 20));
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + data.length < all.length,
  };
}

function partsOf(content: unknown): unknown {
  return typeof content === 'string' ? [{ type: 'input_text', text: content }] : content;
}

/** The paths beside `/responses` whose requests are like its own. */
export function isBesideResponses(path: string): boolean {
  return /\/responses\/(?:compact|input_tokens)$/.test(path);
}

/** A compacted conversation, or a count of tokens. */
export function besideAnswer(path: string, { text }: Behaviour, { told, promptTokens }: ProviderRequest): Answer {
  if (path.endsWith('/input_tokens')) {
    return jsonAnswer(200, openaiHeaders(), { object: 'response.input_tokens', input_tokens: promptTokens });
  }
  const input = (Array.isArray(told.input) ? told.input : [{ role: 'user', content: told.input }]) as Json[];
  const users = input.filter(({ role }) => role === 'user');
  return jsonAnswer(200, openaiHeaders(), {
    id: replyId('resp_', 48),
    object: 'response.compaction',
    created_at: Math.floor(Date.now() / 1000),
    output: [
      ...users.map(({ content }) => ({
        id: replyId('msg_', 48),
        type: 'message',
        role: 'user',
        content: partsOf(content),
      })),
      ...(text === undefined
        ? []
        : [{ id: replyId('msg_', 48), type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }]),
      { id: replyId('cmp_', 48), type: 'compaction', encrypted_content: 'gAAAAABpM0Yj' },
    ],
    usage: {
      input_tokens: promptTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 12,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: promptTokens + 12,
    },
  });
}
