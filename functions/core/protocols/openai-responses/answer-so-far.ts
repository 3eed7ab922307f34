import { holdsResponse } from './responses-events.ts';

type Json = Record<string, unknown>;

interface OpenPart {
  readonly kind: 'output_text' | 'refusal';
  readonly channel: string;
}

/** What has left of a streamed response: enough to end it where it is cut. */
export class AnswerSoFar {
  /** The last word on the response itself. */
  response: Json | undefined;
  /** Items by their index, as they were last told whole. */
  private readonly items = new Map<number, Json>();
  private readonly done = new Set<number>();
  /** The parts of messages that are not done, by the index of their item. */
  private readonly open = new Map<number, OpenPart>();
  private readonly texts = new Map<string, string>();

  /** What has left of a text. */
  textOf(channel: string): string {
    return this.texts.get(channel) ?? '';
  }

  say(channel: string, text: string): void {
    this.texts.set(channel, this.textOf(channel) + text);
  }

  /** Takes note of an event that leaves. */
  take(type: string, json: string): void {
    if (type.endsWith('.delta')) return;
    const { response, item, output_index, content_index, part } = JSON.parse(json) as Json;
    if (holdsResponse(type)) {
      this.response = response as Json;
      return;
    }
    const at = Number(output_index);
    if (type === 'response.output_item.added' || type === 'response.output_item.done') {
      this.items.set(at, item as Json);
      this.open.delete(at);
      if (type.endsWith('done')) this.done.add(at);
      return;
    }
    const message = this.items.get(at);
    if (message === undefined || (type !== 'response.content_part.added' && type !== 'response.content_part.done'))
      return;
    const kind = (part as Json | undefined)?.type;
    const content = [...((message.content as unknown[] | undefined) ?? [])];
    content[Number(content_index)] = part;
    this.items.set(at, { ...message, content });
    const channel = `output[${at}].content[${content_index}].${kind === 'refusal' ? 'refusal' : 'text'}`;
    if (type.endsWith('done') || (kind !== 'output_text' && kind !== 'refusal')) this.open.delete(at);
    else this.open.set(at, { kind, channel });
  }

  /**
   * The events that end the messages which are open, with the text that has left. Anything else that is open stays so: half a
   * call is none.
   */
  ends(): object[] {
    return [...this.items].flatMap(([at, item]) => {
      if (this.done.has(at) || item.type !== 'message') return [];
      const part = this.endPart(at, item);
      const ended = { ...(this.items.get(at) as Json), status: 'incomplete' };
      this.items.set(at, ended);
      this.done.add(at);
      return [...part, { type: 'response.output_item.done', output_index: at, item: ended }];
    });
  }

  /** The items that are whole, or were ended. */
  get output(): object[] {
    return [...this.items].filter(([at]) => this.done.has(at)).map(([, item]) => item);
  }

  private endPart(at: number, item: Json): object[] {
    const open = this.open.get(at);
    if (open === undefined) return [];
    const { kind, channel } = open;
    const text = this.textOf(channel);
    const content = [...(item.content as Json[])];
    const index = content.length - 1;
    const field = kind === 'refusal' ? 'refusal' : 'text';
    content[index] = { ...content[index], [field]: text };
    this.items.set(at, { ...item, content });
    const place = { item_id: item.id, output_index: at, content_index: index };
    const logprobs = kind === 'refusal' ? {} : { logprobs: [] };
    return [
      { type: `response.${kind}.done`, ...place, [field]: text, ...logprobs },
      { type: 'response.content_part.done', ...place, part: content[index] },
    ];
  }
}
