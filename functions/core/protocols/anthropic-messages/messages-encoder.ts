import type { ChatCompletion, ChatDelta, FinishReason, ToolCall, Usage } from '../../model/chat.ts';
import { toAnthropicUsage } from './anthropic-usage.ts';
import { toAnthropicStopReason } from './stop-reasons.ts';

/** What a message that we write begins with. */
export interface MessageHead {
  readonly id: string;
  readonly model: string;
}

/** A translated answer as a message. Clients demand both counts: what is not known is 0. */
export function encodeMessage({ id, model, choices, usage }: ChatCompletion): object {
  const choice = choices[0];
  const text = [choice?.text, choice?.refusal].filter((part) => part != null && part !== '');
  return {
    ...messageOf({ id, model }, usage),
    content: [...text.map((part) => ({ type: 'text', text: part })), ...(choice?.toolCalls ?? []).map(toToolUse)],
    stop_reason: toAnthropicStopReason(choice?.finishReason ?? 'stop'),
  };
}

/** Writes a translated stream as the events of a message. */
export class MessageEncoder {
  private head: MessageHead;
  private blocks = 0;
  /** The open block of text; undefined where none is. */
  private text: number | undefined;
  /** By the index of a tool call, its block: open until the message ends, since pieces of several may come in turn. */
  private readonly tools = new Map<number, number>();
  private finish: FinishReason | undefined;
  private usage: Usage = {};
  private started = false;

  constructor(head: MessageHead) {
    this.head = head;
  }

  encode(delta: ChatDelta): object[] {
    switch (delta.type) {
      case 'start':
        this.head = { id: delta.id, model: delta.model };
        return this.start();
      case 'text':
      case 'refusal':
        return [...this.start(), ...this.inText(delta.text)];
      case 'tool_call': {
        const index = this.blocks++;
        this.tools.set(delta.index, index);
        const content_block = { type: 'tool_use', id: delta.id, name: delta.name, input: {} };
        return [...this.start(), ...this.endText(), { type: 'content_block_start', index, content_block }];
      }
      case 'tool_arguments': {
        const index = this.tools.get(delta.index);
        if (index === undefined || delta.text === '') return [];
        return [{ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: delta.text } }];
      }
      case 'finish':
        this.finish = delta.reason;
        return [];
      case 'usage':
        this.usage = delta.usage;
        return [];
    }
  }

  /** The end of the message; the counts come behind the reason, so both are told here. */
  end(): object[] {
    if (this.finish === undefined) return [];
    const stops = [...this.tools.values()].map((index) => ({ type: 'content_block_stop', index }));
    return [...this.start(), ...this.endText(), ...stops, ...messageEnd(this.finish, this.usage)];
  }

  private start(): object[] {
    if (this.started) return [];
    this.started = true;
    return [messageStart(this.head)];
  }

  private inText(text: string): object[] {
    const opens = this.text === undefined;
    this.text ??= this.blocks++;
    const index = this.text;
    const delta = { type: 'content_block_delta', index, delta: { type: 'text_delta', text } };
    if (!opens) return [delta];
    return [{ type: 'content_block_start', index, content_block: { type: 'text', text: '' } }, delta];
  }

  private endText(): object[] {
    if (this.text === undefined) return [];
    const index = this.text;
    this.text = undefined;
    return [{ type: 'content_block_stop', index }];
  }
}

/** The event that begins a message. */
export function messageStart(head: MessageHead): object {
  return { type: 'message_start', message: { ...messageOf(head, {}), content: [], stop_reason: null } };
}

/** The events that end it. */
export function messageEnd(reason: FinishReason, usage: Usage): object[] {
  const delta = { stop_reason: toAnthropicStopReason(reason), stop_sequence: null };
  return [{ type: 'message_delta', delta, usage: toAnthropicUsage(usage) }, { type: 'message_stop' }];
}

function messageOf({ id, model }: MessageHead, usage: Usage): object {
  return { id, type: 'message', role: 'assistant', model, stop_sequence: null, usage: toAnthropicUsage(usage) };
}

function toToolUse({ id, name, arguments: text }: ToolCall): object {
  return { type: 'tool_use', id, name, input: toInput(text) };
}

/** The arguments as an object; where a model wrote none, what it wrote stands under one name. */
function toInput(text: string): object {
  try {
    const value: unknown = JSON.parse(text || '{}');
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
    return { arguments: value };
  } catch {
    return { arguments: text };
  }
}
