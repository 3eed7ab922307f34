import { GatewayError } from '../../base/errors.ts';
import { readArguments } from '../../base/json.ts';
import type { ChatCompletion, ChatDelta, FinishReason, ToolCall, Usage } from '../../model/chat.ts';
import { toAnthropicUsage } from './anthropic-usage.ts';
import { toAnthropicStopReason } from './stop-reasons.ts';

/** What a message that we write begins with. */
export interface MessageHead {
  readonly id: string;
  readonly model: string;
}

/** A translated answer as a message with an id of ours. Clients demand both counts: what is not known is 0. */
export function encodeMessage({ model, choices, usage }: ChatCompletion, head: MessageHead): object {
  const choice = choices[0];
  const text = [choice?.text, choice?.refusal].filter((part) => part != null && part !== '');
  const { toolCalls = [] } = choice ?? {};
  const reason = endOf(choice?.finishReason ?? 'stop', toolCalls.length > 0, choice?.refusal !== undefined);
  return {
    ...messageOf({ id: head.id, model: model || head.model }, usage),
    content: [...text.map((part) => ({ type: 'text', text: part })), ...toolCalls.map(toToolUse)],
    stop_reason: toAnthropicStopReason(reason),
  };
}

/** Writes a translated stream as the events of a message: its blocks one after another, as clients know them. */
export class MessageEncoder {
  private head: MessageHead;
  private blocks = 0;
  /** What the open block holds: text, or the tool call of an index. */
  private open: 'text' | number | undefined;
  private readonly calls = new Set<number>();
  private refused = false;
  private finish: FinishReason | undefined;
  private usage: Usage = {};
  private started = false;

  constructor(head: MessageHead) {
    this.head = head;
  }

  /** @throws GatewayError `provider_error` for more of a tool call than its block can take: another one has begun */
  encode(delta: ChatDelta): object[] {
    switch (delta.type) {
      case 'start':
        this.head = { id: this.head.id, model: delta.model || this.head.model };
        return this.start();
      case 'text':
        return this.inText(delta.text);
      case 'refusal':
        this.refused = true;
        return this.inText(delta.text);
      case 'tool_call':
        this.calls.add(delta.index);
        return this.begin(delta.index, { type: 'tool_use', id: delta.id, name: delta.name, input: {} });
      case 'tool_arguments':
        return this.inTool(delta.index, delta.text);
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
    const reason = endOf(this.finish, this.calls.size > 0, this.refused);
    return [...this.start(), ...this.endBlock(), ...messageEnd(reason, this.usage)];
  }

  private start(): object[] {
    if (this.started) return [];
    this.started = true;
    return [messageStart(this.head)];
  }

  private inText(text: string): object[] {
    const begun = this.open === 'text' ? [] : this.begin('text', { type: 'text', text: '' });
    return [...begun, this.delta({ type: 'text_delta', text })];
  }

  private inTool(index: number, text: string): object[] {
    if (text === '') return [];
    if (this.open === index) return [this.delta({ type: 'input_json_delta', partial_json: text })];
    throw new GatewayError('provider_error', 'The provider gave the arguments of several tool calls in turn.');
  }

  private begin(what: 'text' | number, content_block: object): object[] {
    const before = [...this.start(), ...this.endBlock()];
    this.open = what;
    return [...before, { type: 'content_block_start', index: this.blocks++, content_block }];
  }

  private delta(delta: object): object {
    return { type: 'content_block_delta', index: this.blocks - 1, delta };
  }

  private endBlock(): object[] {
    if (this.open === undefined) return [];
    this.open = undefined;
    return [{ type: 'content_block_stop', index: this.blocks - 1 }];
  }
}

/** OpenAI says `stop` after a call that was forced and after a refusal; Anthropic's clients go by the reason. */
function endOf(reason: FinishReason, calls: boolean, refused: boolean): FinishReason {
  if (reason !== 'stop') return reason;
  if (refused) return 'content_filter';
  return calls ? 'tool_calls' : 'stop';
}

/** The event that begins a message. */
export function messageStart(head: MessageHead): object {
  return { type: 'message_start', message: { ...messageOf(head, {}), content: [], stop_reason: null } };
}

/** The events that end it. */
export function messageEnd(reason: FinishReason, usage: Usage): object[] {
  const delta = { stop_reason: toAnthropicStopReason(reason), stop_sequence: null, stop_details: null };
  return [{ type: 'message_delta', delta, usage: toAnthropicUsage(usage) }, { type: 'message_stop' }];
}

function messageOf({ id, model }: MessageHead, usage: Usage): object {
  return { id, type: 'message', role: 'assistant', model, stop_sequence: null, usage: toAnthropicUsage(usage) };
}

function toToolUse({ id, name, arguments: text }: ToolCall): object {
  return { type: 'tool_use', id, name, input: readArguments(text) };
}
