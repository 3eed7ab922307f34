import type { Behaviour, MockToolCall } from './behaviour.ts';
import type { ProviderRequest } from './provider-request.ts';
import { argumentPieces, type ReplyContent, type ReplyText, replyContent, replyId, words } from './reply-content.ts';

type Json = Record<string, unknown>;

/** An event with its number in the stream. */
export type NumberedEvent = Json & { readonly type: string; readonly sequence_number: number };

/** A response of the Responses API, in the form of platform.openai.com/docs/api-reference/responses and /responses-streaming. */
export function responseAndEvents(
  behaviour: Behaviour,
  request: ProviderRequest,
): { readonly response: Json; readonly events: readonly NumberedEvent[] } {
  const content = replyContent(behaviour, request);
  const response = responseOf(behaviour, request, content);
  return { response, events: eventsOf(behaviour, response, content) };
}

export function eventText(event: NumberedEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function responseOf(behaviour: Behaviour, { model, promptTokens, told }: ProviderRequest, content: ReplyContent): Json {
  const output = [
    ...(behaviour.reasoning === undefined ? [] : [reasoningItem(behaviour.reasoning)]),
    ...(content.texts.length > 0 ? [messageItem(behaviour, content.texts)] : []),
    ...content.toolCalls.map(callItem),
    ...(behaviour.items ?? []),
  ];
  const reason = behaviour.finishReason;
  const incomplete =
    reason === 'length' ? 'max_output_tokens' : reason === 'content_filter' ? 'content_filter' : undefined;
  const usage = {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: content.completionTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: promptTokens + content.completionTokens,
    ...behaviour.usage,
  };
  return {
    id: replyId('resp_', 48),
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status: incomplete === undefined ? 'completed' : 'incomplete',
    background: told.background === true,
    error: null,
    incomplete_details: incomplete === undefined ? null : { reason: incomplete },
    instructions: told.instructions ?? null,
    max_output_tokens: told.max_output_tokens ?? null,
    model,
    output,
    parallel_tool_calls: true,
    previous_response_id: told.previous_response_id ?? null,
    reasoning: { effort: null, summary: null },
    service_tier: 'default',
    store: told.store ?? true,
    temperature: 1,
    text: told.text ?? { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: told.tools ?? [],
    top_p: 1,
    truncation: 'disabled',
    usage: behaviour.usage === null ? null : usage,
    user: null,
    metadata: told.metadata ?? {},
    ...behaviour.extra,
  };
}

function reasoningItem(text: string): Json {
  return { id: replyId('rs_', 48), type: 'reasoning', summary: [{ type: 'summary_text', text }] };
}

function messageItem({ refuses }: Behaviour, texts: readonly ReplyText[]): Json {
  const content = texts.map(({ text }) =>
    refuses ? { type: 'refusal', refusal: text } : { type: 'output_text', annotations: [], logprobs: [], text },
  );
  return { id: replyId('msg_', 48), type: 'message', status: 'completed', content, role: 'assistant' };
}

function callItem({ id, name, arguments: text }: MockToolCall): Json {
  return { id: replyId('fc_', 48), type: 'function_call', status: 'completed', arguments: text, call_id: id, name };
}

function eventsOf(behaviour: Behaviour, response: Json, content: ReplyContent): NumberedEvent[] {
  const begun = { ...response, status: 'in_progress', output: [], usage: null, incomplete_details: null };
  const events: Json[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
  ];
  for (const [output_index, item] of (response.output as Json[]).entries()) {
    const pieces = content.texts.map((text) => text.pieces);
    events.push(...itemEvents(item, output_index, pieces));
  }
  events.push({ type: `response.${response.status}`, response });
  return events.map(({ type, ...fields }, sequence_number) => {
    const obfuscation = String(type).endsWith('.delta')
      ? { obfuscation: 'q7XzK2mVbT9w'.slice(0, 1 + (sequence_number % 11)) }
      : {};
    return { type: String(type), sequence_number, ...fields, ...obfuscation, ...behaviour.extra };
  });
}

function itemEvents(item: Json, output_index: number, pieces: readonly string[][]): Json[] {
  const added = (empty: Json) => ({ type: 'response.output_item.added', output_index, item: { ...item, ...empty } });
  const done = { type: 'response.output_item.done', output_index, item };
  const place = { item_id: item.id, output_index };
  switch (item.type) {
    case 'message': {
      const parts = (item.content as Json[]).flatMap((part, content_index) =>
        partEvents(part, { ...place, content_index }, pieces[content_index] ?? []),
      );
      return [added({ status: 'in_progress', content: [] }), ...parts, done];
    }
    case 'function_call': {
      const text = String(item.arguments);
      const deltas = argumentPieces(text).map((delta) => ({
        type: 'response.function_call_arguments.delta',
        ...place,
        delta,
      }));
      const whole = { type: 'response.function_call_arguments.done', ...place, name: item.name, arguments: text };
      return [added({ status: 'in_progress', arguments: '' }), ...deltas, whole, done];
    }
    case 'reasoning': {
      const [part = {}] = item.summary as Json[];
      const summary = { ...place, summary_index: 0 };
      const name = 'response.reasoning_summary';
      const deltas = words(String(part.text)).map((delta) => ({ type: `${name}_text.delta`, ...summary, delta }));
      return [
        added({ summary: [] }),
        { type: `${name}_part.added`, ...summary, part: { type: 'summary_text', text: '' } },
        ...deltas,
        { type: `${name}_text.done`, ...summary, text: part.text },
        { type: `${name}_part.done`, ...summary, part },
        done,
      ];
    }
    default:
      return [added({}), done];
  }
}

function partEvents(part: Json, place: Json, pieces: readonly string[]): Json[] {
  const kind = String(part.type);
  const field = kind === 'refusal' ? 'refusal' : 'text';
  const logprobs = kind === 'refusal' ? {} : { logprobs: [] };
  return [
    { type: 'response.content_part.added', ...place, part: { ...part, [field]: '' } },
    ...pieces.map((delta) => ({ type: `response.${kind}.delta`, ...place, delta, ...logprobs })),
    { type: `response.${kind}.done`, ...place, [field]: part[field], ...logprobs },
    { type: 'response.content_part.done', ...place, part },
  ];
}
