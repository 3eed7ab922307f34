import type { ChatMessage, RecordedToolCall } from '../../kernel/model/index.ts';
import { argumentsOf, formsOf, kindOf, readExactJson } from '../tool-calls/index.ts';
import { valueAt } from './doubts.ts';

type PlacedValue = RecordedToolCall['arguments'][number];

/** Distinguishes whole fields of results from parts: a rule with `field:TOOL.PATH` compares the whole argument with the whole field. */
export class WholeFields {
  private readonly messages: readonly ChatMessage[];
  private readonly results = new Map<number, unknown>();

  constructor(messages: readonly ChatMessage[]) {
    this.messages = messages;
  }

  /** The values with a mark on parts. */
  mark(values: readonly PlacedValue[], written: string): PlacedValue[] {
    if (values.every(({ from }) => from !== 'field')) return [...values];
    const args = argumentsOf(written);
    return values.map((one) => (one.from !== 'field' || this.isWhole(one, args) ? one : { ...one, isPart: true }));
  }

  private isWhole({ argument, message, field = '' }: PlacedValue, args: unknown): boolean {
    const keys = keysOf(valueAt(this.resultAt(message as number), field));
    return keysOf(valueAt(args, argument)).some((key) => keys.includes(key));
  }

  private resultAt(message: number): unknown {
    if (!this.results.has(message)) {
      const parts = this.messages[message]?.parts ?? [];
      this.results.set(message, readExactJson(parts.map((part) => ('text' in part ? part.text : '')).join('\n')));
    }
    return this.results.get(message);
  }
}

/** How a whole value may be written; none for what is no single value. */
function keysOf(value: unknown): string[] {
  if (typeof value !== 'string' && typeof value !== 'number') return [];
  const text = String(value).toLowerCase().replace(/\s+/g, ' ').trim();
  return text === '' ? [] : [text, ...formsOf(text, kindOf(text))];
}
