import type { ChatCompletion, ChatDelta, FinishReason, ToolCall, Usage } from '../../model/chat.ts';

/** What every chunk of one answer repeats. */
export interface ChatHead {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
}

/** A translated answer as the JSON of a chat completion. */
export function encodeCompletion(completion: ChatCompletion, created: number): string {
  return JSON.stringify({
    id: completion.id,
    object: 'chat.completion',
    created,
    model: completion.model,
    choices: completion.choices.map((choice) => ({
      index: choice.index,
      message: {
        role: 'assistant',
        content: choice.text,
        refusal: choice.refusal ?? null,
        ...(choice.toolCalls && choice.toolCalls.length > 0 && { tool_calls: choice.toolCalls.map(encodeToolCall) }),
      },
      logprobs: null,
      finish_reason: choice.finishReason,
    })),
    ...usageField(completion.usage),
  });
}

/** Writes a translated stream as the JSON of chat completion chunks: role and empty content first, an empty delta last. */
export class ChunkEncoder {
  private head: ChatHead;
  private readonly opened = new Set<number>();

  constructor(head: ChatHead) {
    this.head = head;
  }

  encode(delta: ChatDelta): string[] {
    switch (delta.type) {
      case 'start':
        this.head = { ...this.head, id: delta.id, model: delta.model };
        return this.open(0);
      case 'text':
        return [...this.open(delta.choice), this.chunk(delta.choice, { content: delta.text })];
      case 'refusal':
        return [...this.open(delta.choice), this.chunk(delta.choice, { refusal: delta.text })];
      case 'tool_call': {
        const call = {
          index: delta.index,
          id: delta.id,
          type: 'function',
          function: { name: delta.name, arguments: '' },
        };
        return [...this.open(delta.choice), this.chunk(delta.choice, { tool_calls: [call] })];
      }
      case 'tool_arguments': {
        const call = { index: delta.index, function: { arguments: delta.text } };
        return [...this.open(delta.choice), this.chunk(delta.choice, { tool_calls: [call] })];
      }
      case 'finish':
        return [...this.open(delta.choice), this.chunk(delta.choice, {}, delta.reason)];
      case 'usage':
        return [this.envelope({ choices: [], ...usageField(delta.usage) })];
    }
  }

  private open(choice: number): string[] {
    if (this.opened.has(choice)) return [];
    this.opened.add(choice);
    return [this.chunk(choice, { role: 'assistant', content: '' })];
  }

  private chunk(index: number, delta: object, finishReason: FinishReason | null = null): string {
    return this.envelope({ choices: [{ index, delta, logprobs: null, finish_reason: finishReason }] });
  }

  private envelope(rest: object): string {
    return encodeChunk(this.head, rest);
  }
}

/** One chunk: the head, then `choices` and whatever else it carries. */
export function encodeChunk({ id, created, model }: ChatHead, rest: object): string {
  return JSON.stringify({ id, object: 'chat.completion.chunk', created, model, ...rest });
}

/** `usage` as OpenAI shows it; no field where nothing is known, since unknown is not 0. */
export function usageField(usage: Usage): object {
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteInputTokens, reasoningTokens } = usage;
  if (inputTokens === undefined && outputTokens === undefined) return {};
  const input = inputTokens ?? 0;
  const output = outputTokens ?? 0;
  const details = {
    ...(cachedInputTokens !== undefined && { cached_tokens: cachedInputTokens }),
    ...(cacheWriteInputTokens !== undefined && { cache_write_tokens: cacheWriteInputTokens }),
  };
  return {
    usage: {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      ...(Object.keys(details).length > 0 && { prompt_tokens_details: details }),
      ...(reasoningTokens !== undefined && { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
    },
  };
}

function encodeToolCall(call: ToolCall): object {
  return { id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } };
}
