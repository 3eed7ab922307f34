import type { ChatDelta, FinishReason, ToolCall, Usage } from '../../model/chat.ts';
import {
  callItem,
  endState,
  messageItem,
  type ResponseHead,
  refusalPart,
  textPart,
  toResponseObject,
} from './response-object.ts';

type PartKind = 'output_text' | 'refusal';

interface OpenMessage {
  readonly at: number;
  readonly parts: { readonly kind: PartKind; text: string }[];
}

interface OpenCall {
  readonly at: number;
  readonly call: { -readonly [Field in keyof ToolCall]: ToolCall[Field] };
}

/** Writes a translated stream as the events of a response: each item is added, grows, and is done. */
export class ResponsesEncoder {
  private head: ResponseHead;
  private readonly output: object[] = [];
  private message: OpenMessage | undefined;
  /** By the provider's index. Their arguments may come in turn, so that all stay open to the end. */
  private readonly calls = new Map<number, OpenCall>();
  private finish: FinishReason | undefined;
  private usage: Usage = {};
  private started = false;
  private sequence = 0;

  constructor(head: ResponseHead) {
    this.head = head;
  }

  encode(delta: ChatDelta): object[] {
    switch (delta.type) {
      case 'start':
        this.head = { ...this.head, model: delta.model || this.head.model };
        return this.start();
      case 'text':
        return this.say('output_text', delta.text);
      case 'refusal':
        return this.say('refusal', delta.text);
      case 'tool_call':
        return this.call(delta.index, { id: delta.id, name: delta.name, arguments: '' });
      case 'tool_arguments':
        return this.argue(delta.index, delta.text);
      case 'finish':
        this.finish = delta.reason;
        return [];
      case 'usage':
        this.usage = delta.usage;
        return [];
    }
  }

  /** The end of the response; the counts come behind the reason, so both are told here. */
  end(): object[] {
    if (this.finish === undefined) return [];
    const events = [...this.start(), ...this.endMessage(), ...this.endCalls()];
    const state = { ...endState(this.finish), output: this.output, usage: this.usage };
    const response = toResponseObject(this.head, state);
    return [...events, this.event(`response.${state.status}`, { response })];
  }

  private start(): object[] {
    if (this.started) return [];
    this.started = true;
    const response = toResponseObject(this.head, { status: 'in_progress', output: [] });
    return [this.event('response.created', { response }), this.event('response.in_progress', { response })];
  }

  private say(kind: PartKind, text: string): object[] {
    const events = this.start();
    if (this.message === undefined) {
      this.message = { at: this.output.length, parts: [] };
      const item = messageItem(this.head, this.message.at, 'in_progress', []);
      this.output.push(item);
      events.push(this.event('response.output_item.added', { output_index: this.message.at, item }));
    }
    const { parts } = this.message;
    if (parts.at(-1)?.kind !== kind) {
      events.push(...this.endPart());
      parts.push({ kind, text: '' });
      events.push(this.event('response.content_part.added', { ...this.partPlace(), part: partOf(kind, '') }));
    }
    const part = parts.at(-1) as OpenMessage['parts'][number];
    part.text += text;
    const logprobs = kind === 'output_text' ? { logprobs: [] } : {};
    events.push(this.event(`response.${kind}.delta`, { ...this.partPlace(), delta: text, ...logprobs }));
    return events;
  }

  /** Where the message's last part stands. */
  private partPlace(): object {
    const { at, parts } = this.message as OpenMessage;
    const { id } = this.output[at] as { id: string };
    return { item_id: id, output_index: at, content_index: parts.length - 1 };
  }

  private endPart(): object[] {
    const part = this.message?.parts.at(-1);
    if (part === undefined) return [];
    const { kind, text } = part;
    const whole = kind === 'refusal' ? { refusal: text } : { text, logprobs: [] };
    return [
      this.event(`response.${kind}.done`, { ...this.partPlace(), ...whole }),
      this.event('response.content_part.done', { ...this.partPlace(), part: partOf(kind, text) }),
    ];
  }

  private endMessage(): object[] {
    if (this.message === undefined) return [];
    const { at, parts } = this.message;
    const events = this.endPart();
    const status = this.finish === 'length' && this.calls.size === 0 ? 'incomplete' : 'completed';
    const content = parts.map(({ kind, text }) => partOf(kind, text));
    const item = messageItem(this.head, at, status, content);
    this.output[at] = item;
    this.message = undefined;
    return [...events, this.event('response.output_item.done', { output_index: at, item })];
  }

  private call(index: number, call: ToolCall): object[] {
    const events = [...this.start(), ...this.endMessage()];
    const at = this.output.length;
    this.calls.set(index, { at, call: { ...call } });
    const item = callItem(this.head, at, call, 'in_progress');
    this.output.push(item);
    return [...events, this.event('response.output_item.added', { output_index: at, item })];
  }

  private argue(index: number, text: string): object[] {
    const open = this.calls.get(index);
    if (open === undefined || text === '') return [];
    open.call.arguments += text;
    const { id } = this.output[open.at] as { id: string };
    return [this.event('response.function_call_arguments.delta', { item_id: id, output_index: open.at, delta: text })];
  }

  private endCalls(): object[] {
    return [...this.calls.values()].flatMap(({ at, call }) => {
      const item = callItem(this.head, at, call, 'completed');
      this.output[at] = item;
      const { id: item_id, name, arguments: text } = item;
      return [
        this.event('response.function_call_arguments.done', { item_id, output_index: at, name, arguments: text }),
        this.event('response.output_item.done', { output_index: at, item }),
      ];
    });
  }

  private event(type: string, fields: object): object {
    return { type, sequence_number: this.sequence++, ...fields };
  }
}

function partOf(kind: PartKind, text: string): object {
  return kind === 'refusal' ? refusalPart(text) : textPart(text);
}
