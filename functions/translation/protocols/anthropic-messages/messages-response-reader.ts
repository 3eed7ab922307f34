import { isObject, type JsonPath } from '../../../kernel/json/index.ts';
import type { CallBy, ResponsePiece, TextSlot, Usage } from '../../../kernel/model/index.ts';
import { idOf, unknownIdsIn } from '../bodies/named-ids.ts';
import { readResponseJson } from '../bodies/response-json.ts';
import { indexIn, indexName, kindName, placeName, placesOf } from '../bodies/response-places.ts';
import { type UnlistedPlace, UnlistedSlots } from '../bodies/unlisted-texts.ts';
import { idsInMessagesResponse } from './messages-ids.ts';
import { AnthropicUsage, fromAnthropicUsage, mergeAnthropicUsage } from './usage-and-stop-reasons.ts';

/** What the gateway reads from a Messages API response, whole or one event. */
export interface MessagesPiece extends ResponsePiece {
  /** `message` for a whole response; otherwise the event type. */
  readonly type: string;
  /** The index of the content block that the event belongs to. */
  readonly block: number | undefined;
  /** Whether a stream event has the stop reason. */
  readonly stops: boolean;
}

type Json = Record<string, unknown>;

/** The text blocks of a response, which clients join. */
const TEXT_RUN = 'content[].text';
const READ_ONLY = { isReadOnly: true } as const;
/** The text field of each delta type, and how it is treated. */
const DELTAS: readonly { field: string; channel: string; kind: Pick<TextSlot, 'isJson' | 'isReadOnly' | 'run'> }[] = [
  { field: 'text', channel: 'text', kind: { run: TEXT_RUN } },
  { field: 'partial_json', channel: 'input', kind: { isJson: true } },
  { field: 'thinking', channel: 'thinking', kind: READ_ONLY },
];
/** The text field of each block type. */
const WHOLE = DELTAS.filter(({ field, channel }) => field === channel);
const BLOCK = {
  text: 'text thinking',
  id: 'type id server_name tool_use_id caller.type caller.tool_id file_id citations[].type citations[].file_id content.type content.error_code content[].type content[].file_id content[].tool_name content.content[].type content.content[].file_id content.source.type content.source.media_type content.content.type content.content.source.type content.content.source.media_type',
  data: 'signature data encrypted_content citations[].encrypted_index content[].encrypted_content content.encrypted_stdout content.encrypted_content content.source.data content.content.source.data',
  free: 'input',
};
const MESSAGE = {
  id: 'type id role model stop_reason container.id container.expires_at container.skills[].type container.skills[].skill_id container.skills[].version stop_details.type stop_details.category usage.service_tier usage.inference_geo usage.speed usage.iterations[].type usage.iterations[].model usage.cache_creation.ephemeral_5m_input_tokens usage.cache_creation.ephemeral_1h_input_tokens',
};
/** Where a message or an event has no text, or text that is read by name: https://platform.claude.com/docs/en/api/messages */
const PLACES = placesOf({
  ' message delta': MESSAGE,
  'content[] message.content[] content_block': BLOCK,
  delta: {
    text: 'text partial_json thinking',
    id: 'citation.type citation.file_id',
    data: 'signature encrypted_content citation.encrypted_index',
  },
  '': { id: 'usage.service_tier' },
});

/** Clients read the content of a message whatever its type is. */
function typeOf({ type, content }: Json): string {
  if (Array.isArray(content)) return 'message';
  return typeof type === 'string' ? type : '';
}

/** Reads the pieces of one response, in order: usage in later events completes that of earlier ones. */
export class MessagesPieceReader {
  private usage: AnthropicUsage;
  private readonly others = new UnlistedSlots(PLACES);
  /** How many came: each has separate texts. */
  private citations = 0;
  private searches = 0;
  private readonly isDiagnosed: boolean;
  /** Who executes the calls of a stream, by the index of their block. */
  private readonly calls = new Map<string, CallBy | undefined>();

  /** @param isDiagnosed whether later requests may name the message by id */
  constructor(isDiagnosed: boolean) {
    this.isDiagnosed = isDiagnosed;
  }

  /** @throws SyntaxError, RangeError if the text is not JSON or nested too deep, or an index is no number */
  read(text: string): MessagesPiece {
    const { json, body } = readResponseJson(text);
    const type = typeOf(body);
    const index = body.index == null ? undefined : indexIn(body, 0);
    const delta = isObject(body.delta) ? body.delta : undefined;
    const cites = type === 'content_block_delta' && delta?.type === 'citations_delta';
    const citation = cites ? this.citations++ : undefined;
    const place = indexName(index ?? 0);
    if (isObject(body.content_block)) this.calls.set(place, callOf(body.content_block));
    const call = this.calls.get(place);
    const ownSlots = slotsOf(body, place, call);
    const others = this.others.read(body, describeIn(body, type, place, citation));
    const stops = type === 'message_delta' && typeof delta?.stop_reason === 'string';
    // `svc` is sent with the stop reason: every text has ended by then.
    const ended = stops ? ['content['] : type === 'content_block_stop' ? [`content[${indexName(index)}].`] : [];
    const closes = [...ended, ...others.closes];
    return {
      json,
      type,
      block: index,
      slots: [...ownSlots, ...others.slots],
      echoes: [],
      ends: type === 'message_delta' || type === 'message_stop',
      stops,
      divisible: ownSlots.length === 1 && others.slots.length === 0 && type === 'content_block_delta',
      ...(closes.length > 0 && { closes }),
      usage: this.usageOf(type, body),
      fault: faultOf(type, body),
      ...(type !== 'content_block_delta' && {
        issuedIds: idsInMessagesResponse(body, this.isDiagnosed),
        ownId: idOf(isObject(body.message) ? body.message : body),
      }),
      unknownIds: unknownIdsIn(body),
    };
  }

  /** Records what was sent to the client. */
  released({ slots }: MessagesPiece): void {
    this.others.released(slots);
  }

  /** Searches count as they begin, so that a stream that is cut has them too. */
  private usageOf(type: string, body: Json): Usage | undefined {
    const { content_block: block } = body;
    if (isObject(block) && block.type === 'server_tool_use' && block.name === 'web_search') {
      this.searches += 1;
      return { searches: this.searches };
    }
    const starts = type === 'message_start' && isObject(body.message);
    const holder = starts ? (body.message as Json) : body;
    if (!isObject(holder.usage)) return undefined;
    const usage = AnthropicUsage.parse(holder.usage);
    // The output count at the start is provisional; `message_delta` has the final one.
    const known = starts ? { ...usage, output_tokens: undefined, output_tokens_details: undefined } : usage;
    this.usage = mergeAnthropicUsage(this.usage, known);
    return fromAnthropicUsage(this.usage);
  }
}

/** The model's texts in a message or an event. A text in a block continues in the deltas of that block. */
function slotsOf({ content, message, content_block: block, delta }: Json, index: string, call?: CallBy): TextSlot[] {
  const slots: TextSlot[] = [];
  addContent(content, ['content'], slots);
  if (isObject(message)) addContent(message.content, ['message', 'content'], slots);
  addBlock(block, ['content_block'], index, slots);
  if (isObject(delta)) {
    for (const { field, channel, kind } of DELTAS) {
      const text = delta[field];
      if (typeof text !== 'string' || text === '') continue;
      slots.push({
        channel: `content[${index}].${channel}`,
        text,
        path: ['delta', field],
        ...kind,
        ...(call && { call }),
      });
    }
  }
  return slots;
}

function addContent(content: unknown, path: JsonPath, slots: TextSlot[]): void {
  if (!Array.isArray(content)) return;
  for (const [at, block] of content.entries()) addBlock(block, [...path, at], String(at), slots);
}

function addBlock(block: unknown, path: JsonPath, index: string, slots: TextSlot[]): void {
  if (!isObject(block)) return;
  for (const { channel, kind } of WHOLE) {
    const text = block[channel];
    if (typeof text !== 'string' || text === '') continue;
    slots.push({ channel: `content[${index}].${channel}`, text, path: [...path, channel], ...kind });
  }
}

/** Who executes the call in a block; undefined for other blocks. A call of a type that we do not know may be for the client. */
export function callOf(block: unknown): CallBy | undefined {
  if (!isObject(block)) return undefined;
  const { type, name, input } = block;
  if (type === 'tool_use') return 'client';
  if (type === 'server_tool_use' || type === 'mcp_tool_use') return 'provider';
  return typeof name === 'string' && isObject(input) ? 'client' : undefined;
}

/** Names the other texts by their place in the message. Clients join the strings of one member of an unknown delta. */
function describeIn(
  { content, delta, content_block: started }: Json,
  type: string,
  index: string,
  citation: number | undefined,
): (path: JsonPath) => UnlistedPlace {
  const block = `content[${index}]`;
  return (path) => {
    const [first, ...rest] = path;
    const inside = placeName(rest);
    if (type === 'message' || type === '') {
      const call = first === 'content' && Array.isArray(content) ? callOf(content[Number(rest[0])]) : undefined;
      return { name: placeName(path), call };
    }
    if (type === 'message_start' && first === 'message') return { name: inside };
    if (type === 'content_block_start' && first === 'content_block')
      return { name: `${block}.${inside}`, call: callOf(started) };
    if (type === 'content_block_delta' && first === 'delta') {
      const isJoined = rest.length === 1;
      if (citation === undefined) return { name: `${block}.${kindName(Object(delta).type)}.${inside}`, isJoined };
      const cited = placeName(rest.slice(1));
      return { name: `${block}.citations[${citation}].${cited}`, series: `${block}.citations[].${cited}`, isJoined };
    }
    if (type === 'message_delta' && first === 'delta') return { name: inside };
    return { name: `${kindName(type)}.${placeName(path)}` };
  };
}

function faultOf(type: string, body: Json): string | undefined {
  if (type === 'error' || isObject(body.error)) return 'error instead of a response';
  if (type === '') return 'no message';
  return type === 'message' && !Array.isArray(body.content) ? 'message without content' : undefined;
}
