import { type Answer, jsonAnswer, streamAnswer } from './answer.ts';
import type { Behaviour, MockToolCall } from './behaviour.ts';
import type { ProviderRequest } from './provider-request.ts';
import { argumentPieces, type ReplyContent, replyContent, replyId } from './reply-content.ts';

/** The response to a message, in the form of docs.anthropic.com/en/api/messages and /messages-streaming. */
export function anthropicAnswer(behaviour: Behaviour, request: ProviderRequest): Answer {
  const content = replyContent(behaviour, request);
  const headers = anthropicHeaders();
  if (request.stream) return streamAnswer(headers, anthropicEvents(behaviour, request, content));
  return jsonAnswer(200, headers, {
    ...messageFields(request),
    content: [...content.texts.map(({ text }) => ({ type: 'text', text })), ...content.toolCalls.map(toolUse)],
    stop_reason: stopReason(behaviour, content),
    stop_sequence: null,
    ...(behaviour.usage === null ? {} : { usage: anthropicUsage(behaviour, request, content) }),
    ...behaviour.extra,
  });
}

/** The response to a request to count tokens. */
export function tokenCount({ promptTokens }: ProviderRequest): Answer {
  return jsonAnswer(200, anthropicHeaders(), { input_tokens: promptTokens });
}

export function anthropicHeaders(): Record<string, string> {
  return { 'request-id': replyId('req_', 24), 'anthropic-organization-id': '00000000-0000-4000-8000-00006d6f636b' };
}

function messageFields(request: ProviderRequest): Record<string, unknown> {
  return { model: request.model, id: replyId('msg_', 24), type: 'message', role: 'assistant' };
}

function toolUse({ id, name, arguments: text }: MockToolCall): unknown {
  return { type: 'tool_use', id, name, input: parsedOr(text, {}) };
}

function parsedOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

const STOP_REASONS: Record<string, string> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
};

function stopReason({ finishReason }: Behaviour, { toolCalls }: ReplyContent): string {
  if (finishReason !== undefined) return STOP_REASONS[finishReason] ?? finishReason;
  return toolCalls.length > 0 ? 'tool_use' : 'end_turn';
}

function anthropicUsage(behaviour: Behaviour, request: ProviderRequest, content: ReplyContent) {
  return {
    input_tokens: request.promptTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    output_tokens: content.completionTokens,
    service_tier: 'standard',
    ...behaviour.usage,
  };
}

type Event = { type: string } & Record<string, unknown>;

function anthropicEvents(behaviour: Behaviour, request: ProviderRequest, content: ReplyContent): string[] {
  const { cache_creation, service_tier, ...counts } = anthropicUsage(behaviour, request, content);
  const hasUsage = behaviour.usage !== null;
  const message = {
    ...messageFields(request),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    ...(hasUsage ? { usage: { ...counts, cache_creation, output_tokens: 1, service_tier } } : {}),
    ...behaviour.extra,
  };
  const events: Event[] = [
    { type: 'message_start', message },
    ...contentBlocks(content),
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason(behaviour, content), stop_sequence: null },
      ...(hasUsage ? { usage: counts } : {}),
    },
    { type: 'message_stop' },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, ...behaviour.extra })}\n\n`);
}

function contentBlocks({ texts, toolCalls }: ReplyContent): Event[] {
  const blocks = [
    ...texts.map(({ pieces }) => ({
      start: { type: 'text', text: '' },
      deltas: pieces.map((text) => ({ type: 'text_delta', text })),
    })),
    ...toolCalls.map(({ id, name, arguments: text }) => ({
      start: { type: 'tool_use', id, name, input: {} },
      deltas: ['', ...argumentPieces(text)].map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    })),
  ];
  return blocks.flatMap(({ start, deltas }, index) => [
    { type: 'content_block_start', index, content_block: start },
    ...(index === 0 ? [{ type: 'ping' }] : []),
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]);
}
