import { type Answer, jsonAnswer, streamAnswer } from './answer.ts';
import type { Behaviour } from './behaviour.ts';
import type { ProviderRequest } from './provider-request.ts';
import { argumentPieces, type ReplyContent, replyContent, replyId, words } from './reply-content.ts';

/** The response to a chat completion, in the form of platform.openai.com/docs/api-reference/chat/object. */
export function openaiAnswer(behaviour: Behaviour, request: ProviderRequest): Answer {
  const content = replyContent(behaviour, request);
  const headers = openaiHeaders();
  if (request.stream) return streamAnswer(headers, openaiEvents(behaviour, request, content));
  return jsonAnswer(200, headers, {
    ...replyFields(request, 'chat.completion'),
    choices: choices(behaviour, content),
    ...(behaviour.usage === null ? {} : { usage: openaiUsage(behaviour, request, content) }),
    ...behaviour.extra,
  });
}

export function openaiHeaders(): Record<string, string> {
  return {
    'x-request-id': replyId('req_', 32),
    'openai-organization': 'org-mock',
    'openai-processing-ms': '12',
    'openai-version': '2020-10-01',
  };
}

function replyFields(request: ProviderRequest, object: string): Record<string, unknown> {
  return {
    id: replyId('chatcmpl-', 29),
    object,
    created: Math.floor(Date.now() / 1000),
    model: request.model,
    service_tier: 'default',
    system_fingerprint: 'fp_44709d6fcb',
  };
}

/** Tool calls belong to the first choice. */
function choices(behaviour: Behaviour, { texts, toolCalls }: ReplyContent): unknown[] {
  const contents = texts.length === 0 ? [null] : texts.map(({ text }) => text);
  return contents.map((content, index) => ({
    index,
    message: {
      role: 'assistant',
      content,
      ...(behaviour.reasoning !== undefined && { reasoning_content: behaviour.reasoning }),
      ...(index === 0 && toolCalls.length > 0 ? { tool_calls: toolCalls.map(toolCall) } : {}),
      refusal: null,
      annotations: [],
    },
    logprobs: null,
    finish_reason: finishReason(behaviour, index === 0 && toolCalls.length > 0),
  }));
}

function toolCall({ id, name, arguments: text }: { id: string; name: string; arguments: string }): unknown {
  return { id, type: 'function', function: { name, arguments: text } };
}

function finishReason(behaviour: Behaviour, hasToolCalls: boolean): string {
  return behaviour.finishReason ?? (hasToolCalls ? 'tool_calls' : 'stop');
}

function openaiUsage(behaviour: Behaviour, request: ProviderRequest, content: ReplyContent): Record<string, unknown> {
  const usage: Record<string, unknown> = {
    prompt_tokens: request.promptTokens,
    completion_tokens: content.completionTokens,
    total_tokens: 0,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
    ...behaviour.usage,
  };
  if (behaviour.usage?.total_tokens === undefined) {
    usage.total_tokens = Number(usage.prompt_tokens) + Number(usage.completion_tokens);
  }
  return usage;
}

interface Delta {
  index: number;
  delta: Record<string, unknown>;
  finish?: string;
}

function openaiEvents(behaviour: Behaviour, request: ProviderRequest, content: ReplyContent): string[] {
  const withUsage = request.includeUsage && behaviour.usage !== null;
  const shared = replyFields(request, 'chat.completion.chunk');
  const event = (fields: Record<string, unknown>, position: number) =>
    `data: ${JSON.stringify({
      ...shared,
      ...fields,
      ...(request.includeObfuscation ? { obfuscation: obfuscation(position) } : {}),
      ...behaviour.extra,
    })}\n\n`;
  const events = deltas(behaviour, content).map(({ index, delta, finish }, position) =>
    event(
      {
        choices: [{ index, delta, logprobs: null, finish_reason: finish ?? null }],
        ...(withUsage ? { usage: null } : {}),
      },
      position,
    ),
  );
  if (withUsage) events.push(event({ choices: [], usage: openaiUsage(behaviour, request, content) }, events.length));
  events.push('data: [DONE]\n\n');
  return events;
}

/** Choices are interleaved, as in OpenAI's streams. */
function deltas(behaviour: Behaviour, { texts, toolCalls }: ReplyContent): Delta[] {
  const count = Math.max(texts.length, 1);
  const all: Delta[] = [];
  for (let index = 0; index < count; index += 1) {
    const content = texts.length === 0 ? null : '';
    all.push({ index, delta: { role: 'assistant', content, refusal: null } });
  }
  for (const piece of words(behaviour.reasoning ?? '')) all.push({ index: 0, delta: { reasoning_content: piece } });
  const longest = texts.reduce((length, { pieces }) => Math.max(length, pieces.length), 0);
  for (let position = 0; position < longest; position += 1) {
    for (const [index, { pieces }] of texts.entries()) {
      const piece = pieces[position];
      if (piece !== undefined) all.push({ index, delta: { content: piece } });
    }
  }
  for (const [position, call] of toolCalls.entries()) {
    const opening = { index: position, id: call.id, type: 'function', function: { name: call.name, arguments: '' } };
    all.push({ index: 0, delta: { tool_calls: [opening] } });
    for (const piece of argumentPieces(call.arguments)) {
      all.push({ index: 0, delta: { tool_calls: [{ index: position, function: { arguments: piece } }] } });
    }
  }
  for (let index = 0; index < count; index += 1) {
    all.push({ index, delta: {}, finish: finishReason(behaviour, index === 0 && toolCalls.length > 0) });
  }
  return all;
}

const FILLER = 'q7XzK2mVbT9w';

/** OpenAI pads its chunks with random characters, so that their sizes reveal nothing. */
function obfuscation(position: number): string {
  return FILLER.slice(0, 1 + ((position * 5) % FILLER.length));
}
