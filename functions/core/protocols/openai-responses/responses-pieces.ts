import { isObject } from '../../json/is-object.ts';
import type { JsonPath } from '../../json/json-splice.ts';
import type { Usage } from '../../model/chat.ts';
import type { TextSlot } from '../../pipeline/piece.ts';
import type { AnswerPiece } from '../answer-format.ts';
import { collectTexts } from '../collect-texts.ts';
import { toParam } from '../first-fault.ts';
import { isFixedInAnswer } from './fixed-members.ts';
import { containersOf } from './named-ids.ts';
import { endsResponse, holdsResponse, streamedText } from './responses-events.ts';
import { fromResponsesUsage } from './responses-usage.ts';

/** A text that came before, in deltas or whole, and stands in the answer once more. */
export interface Repeat {
  readonly channel: string;
  readonly text: string;
  readonly path: JsonPath;
}

/** What the gateway reads of an answer of the Responses API, whole or one event. */
export interface ResponsesPiece extends AnswerPiece {
  /** The event's; empty for a whole answer. */
  readonly type: string;
  readonly sequence: number | undefined;
  readonly repeats: readonly Repeat[];
  /** The response and its items, where it is the last word. */
  readonly ids: readonly GivenItem[];
}

/** What has an id of the provider's: `response`, or an item's type. */
export interface GivenItem {
  readonly id: string;
  readonly type: string;
}

type Json = Record<string, unknown>;
type Kind = Pick<TextSlot, 'isJson' | 'isReadOnly'>;

/** What a response repeats of its request: nothing that a model has written. */
const OF_THE_REQUEST = new Set(
  'instructions tools tool_choice text metadata prompt reasoning user safety_identifier prompt_cache_key prompt_cache_retention prompt_cache_options previous_response_id conversation moderation'.split(
    ' ',
  ),
);
/** Switches of the response itself. */
const OF_THE_RESPONSE = new Set(['model', 'service_tier', 'truncation', 'code', 'reason', 'svc']);
/** A shorter one waits as a whole for what may still match at its end: it leaves as it came, under its own number. */
const LONG_DELTA_CHARS = 256;
/** Texts that deltas go on with once their item was added. */
const GROWS = /\.(?:text|refusal|arguments|input|code)$/;
const REASONING = new Set<unknown>(['reasoning', 'reasoning_text', 'summary_text']);

/**
 * Reads the pieces of one answer, in order. A stream tells each text several times: in deltas, when the text, its part and its
 * item are done, and in the response at the end. What has come already is a repeat; any other text is read as a new one, so
 * that nothing stands in an answer that was not judged.
 */
export class ResponsesPieceReader {
  /** By the text's place in the response, such as `output[0].content[0].text`. */
  private readonly texts = new Map<string, { channel: string; text: string }>();
  private readonly versions = new Map<string, number>();
  private unknownEvents = 0;

  /** @throws SyntaxError where the text is not JSON */
  read(json: string): ResponsesPiece {
    const root: unknown = JSON.parse(json);
    const body: Json = isObject(root) ? root : {};
    const type = typeof body.type === 'string' ? body.type : '';
    const found = new Found(body, this);
    const closes = this.take(type, body, found);
    if (type !== '') closes.push(...found.others(`output[${body.output_index}].${type}`));
    const response = type === '' ? body : holdsResponse(type) && isObject(body.response) ? body.response : undefined;
    const isLast = type === '' || endsResponse(type);
    const isLong = streamedText(type)?.isDelta === true && (found.slots[0]?.text.length ?? 0) > LONG_DELTA_CHARS;
    return {
      json,
      type,
      sequence: typeof body.sequence_number === 'number' ? body.sequence_number : undefined,
      slots: found.slots,
      repeats: found.repeats,
      echoes: found.echoes,
      divisible: isLong && found.slots.length === 1 && found.echoes.length === 0,
      ends: endsResponse(type),
      ...(closes.length > 0 && { closes }),
      usage: usageOf(response),
      ids: isLast ? idsOf(response) : [],
      fault: faultOf(type, body),
    };
  }

  /** More of a text. @returns its channel */
  append(place: string, text: string): string {
    const known = this.texts.get(place);
    if (known === undefined) return this.begin(place, text);
    known.text += text;
    return known.channel;
  }

  /** A whole text. @returns its channel, and whether it has come before */
  whole(place: string, text: string): { readonly channel: string; readonly came: boolean } {
    const known = this.texts.get(place);
    if (known?.text === text) return { channel: known.channel, came: true };
    return { channel: this.begin(place, text), came: false };
  }

  private begin(place: string, text: string): string {
    const version = (this.versions.get(place) ?? 0) + 1;
    this.versions.set(place, version);
    const channel = version === 1 ? place : `${place} (${version})`;
    this.texts.set(place, { channel, text });
    return channel;
  }

  /** Takes the texts of a piece. @returns what gets no more text after it */
  private take(type: string, body: Json, found: Found): string[] {
    const item = `output[${body.output_index}]`;
    const streamed = streamedText(type);
    if (streamed !== undefined) {
      const { list, field, kind } = streamed.text;
      const index = list === 'summary' ? body.summary_index : body.content_index;
      const place = `${item}.${list === undefined ? '' : `${list}[${index}].`}${field}`;
      if (streamed.isDelta) {
        found.delta(body.delta, ['delta'], place, kind);
        return [];
      }
      return [...found.text(body[field], [field], place, kind), place];
    }
    switch (type) {
      case '':
        return this.response(body, [], found);
      case 'response.content_part.added':
      case 'response.content_part.done':
        found.value(body.part, ['part'], `${item}.content[${body.content_index}]`);
        return type.endsWith('done') ? [`${item}.content[${body.content_index}].`] : [];
      case 'response.reasoning_summary_part.added':
      case 'response.reasoning_summary_part.done':
        found.value(body.part, ['part'], `${item}.summary[${body.summary_index}]`);
        return [];
      case 'response.output_item.added':
      case 'response.output_item.done':
        return type.endsWith('done')
          ? [...found.value(body.item, ['item'], item), `${item}.`]
          : found.value(body.item, ['item'], item).filter((channel) => !GROWS.test(channel));
      case 'response.output_text.annotation.added': {
        const place = `${item}.content[${body.content_index}].annotations[${body.annotation_index}]`;
        return found.value(body.annotation, ['annotation'], place);
      }
      case 'response.audio.delta':
        // Base64, which is none where it holds a space.
        return [];
      case 'response.audio.transcript.delta':
        found.delta(body.delta, ['delta'], 'audio.transcript', {});
        return [];
    }
    if (holdsResponse(type)) {
      const closed = isObject(body.response) ? this.response(body.response, ['response'], found) : [];
      return endsResponse(type) ? ['output[', 'audio.', 'response.'] : closed;
    }
    return this.unknown(type, body, item, found);
  }

  /** What a newer API sends passes, and is read like the rest: what comes in deltas is one text until its item is done. */
  private unknown(type: string, body: Json, item: string, found: Found): string[] {
    if (typeof body.delta === 'string' && type.endsWith('.delta')) {
      const { delta, ...rest } = body;
      found.delta(delta, ['delta'], `${item}.${type}`, {});
      return found.value(rest, [], `events[${this.unknownEvents++}]`);
    }
    return found.value(body, [], `events[${this.unknownEvents++}]`);
  }

  private response(response: Json, path: JsonPath, found: Found): string[] {
    const output = Array.isArray(response.output) ? response.output : [];
    output.forEach((item: unknown, at) => {
      found.value(item, [...path, 'output', at], `output[${at}]`);
    });
    return Object.entries(response).flatMap(([name, value]) => {
      if (name === 'output' || OF_THE_REQUEST.has(name) || OF_THE_RESPONSE.has(name)) return [];
      return found.value({ [name]: value }, path, 'response');
    });
  }
}

/** The texts of one piece. */
class Found {
  readonly slots: TextSlot[] = [];
  readonly repeats: Repeat[] = [];
  readonly echoes: JsonPath[] = [];
  private readonly body: Json;
  private readonly reader: ResponsesPieceReader;
  /** Members of the piece that were read. */
  private readonly seen = new Set<JsonPath[number] | undefined>();

  constructor(body: Json, reader: ResponsesPieceReader) {
    this.body = body;
    this.reader = reader;
  }

  delta(text: unknown, path: JsonPath, place: string, kind: Kind): void {
    this.seen.add(path[0]);
    if (typeof text !== 'string' || text === '') return;
    this.add({ channel: this.reader.append(place, text), text, path, ...kind });
  }

  /** @returns its channel, where it is a text */
  text(text: unknown, path: JsonPath, place: string, kind: Kind): string[] {
    this.seen.add(path[0]);
    if (typeof text !== 'string' || text === '') return [];
    const { channel, came } = this.reader.whole(place, text);
    if (came) this.repeats.push({ channel, text, path });
    else this.add({ channel, text, path, ...kind });
    return [channel];
  }

  /** Every text in a value that stands at `path`, each named for its place in the response. @returns their channels */
  value(value: unknown, path: JsonPath, place: string): string[] {
    this.seen.add(path[0]);
    const channels: string[] = [];
    const isReadOnly = isObject(value) && REASONING.has(value.type);
    collectTexts(value, path, isFixedInAnswer, (found, text, isName) => {
      const inside = found.slice(path.length);
      // Probabilities repeat the tokens of a text: they are taken out with it, see `echoes`.
      if (inside.includes('logprobs')) return;
      if (place === 'response' && OF_THE_RESPONSE.has(String(inside.at(-1)))) return;
      const field = `${typeof inside[0] === 'string' ? '.' : ''}${toParam(inside)}${isName ? ' (name)' : ''}`;
      const kind: Kind = {
        // Names of members cannot be changed in place.
        ...((isReadOnly || isName) && { isReadOnly: true as const }),
        ...(inside.at(-1) === 'arguments' && { isJson: true as const }),
      };
      channels.push(...this.text(text, found, `${place}${field}`, kind));
    });
    return channels;
  }

  /** Texts in members that nothing was read of: beside a delta, say. @returns their channels */
  others(place: string): string[] {
    const others = Object.entries(this.body).filter(([name]) => !this.seen.has(name));
    return this.value(Object.fromEntries(others), [], place);
  }

  private add(slot: TextSlot): void {
    this.slots.push(slot);
    const beside = [...slot.path.slice(0, -1), 'logprobs'];
    if (slot.isReadOnly || !hasElements(valueAt(this.body, beside))) return;
    // Texts of one object have them in common, and they are taken out once.
    if (!this.echoes.some((known) => toParam(known) === toParam(beside))) this.echoes.push(beside);
  }
}

function valueAt(body: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((at, step) => (at as Record<string | number, unknown> | null | undefined)?.[step], body);
}

function hasElements(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function usageOf(response: Json | undefined): Usage | undefined {
  return fromResponsesUsage(response?.usage);
}

function idsOf(response: Json | undefined): GivenItem[] {
  const output = Array.isArray(response?.output) ? response.output : [];
  const items = output.filter(isObject);
  const containers = new Set(items.flatMap(containersOf));
  const named = [{ ...response, type: 'response' } as Json, ...items].flatMap(({ id, type }) =>
    typeof id === 'string' && id !== '' && typeof type === 'string' ? [{ id, type }] : [],
  );
  return [...named, ...Array.from(containers, (id) => ({ id, type: 'container' }))];
}

function faultOf(type: string, body: Json): string | undefined {
  if (type === 'error' || (type === '' && isObject(body.error) && !Array.isArray(body.output))) {
    return 'error in the place of an answer';
  }
  if (type === '') return Array.isArray(body.output) ? undefined : 'no response';
  return holdsResponse(type) && !isObject(body.response) ? 'no response in an event' : undefined;
}
