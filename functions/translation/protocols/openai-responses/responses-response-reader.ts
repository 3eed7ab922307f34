import { isObject, type JsonPath, spliceJson } from '../../../kernel/json/index.ts';
import type { ResponsePiece, Usage } from '../../../kernel/model/index.ts';
import { unknownIdsIn } from '../bodies/named-ids.ts';
import { feesOf, fromResponsesUsage, hasPreviewTool, tierIn } from '../bodies/provider-usage.ts';
import { type ResponseJson, readResponseJson } from '../bodies/response-json.ts';
import { indexName, kindName } from '../bodies/response-places.ts';
import { ANNOTATION, EVENT, endsResponse, holdsResponse, PART, RESPONSE, streamedText } from './responses-events.ts';
import { idsOfItem, idsOfResponse } from './responses-ids.ts';
import { KnownTexts, type RepeatedTexts } from './responses-known-texts.ts';
import { callOf, hasElements, PieceTexts, type Repeat } from './responses-piece-texts.ts';

/** What the gateway reads from a Responses API response, whole or one event. */
export interface ResponsesPiece extends ResponsePiece {
  /** The event type; empty for a whole response. */
  readonly type: string;
  readonly sequence: number | undefined;
  readonly repeats: readonly Repeat[];
}

type Json = Record<string, unknown>;

/** A shorter delta waits as a whole while its end may still match, so that it keeps its own event number. */
const LONG_DELTA_CHARS = 256;
/** Texts that deltas continue after their item was added. */
const GROWS = /\.(?:text|refusal|arguments|input|code)$/;
const CALL_END = '_call';
/**
 * Reads the pieces of one response, in order. A stream repeats each text: in deltas, when the text, its part and its item are done, and in
 * the final response. A text that already came is a repeat; any other text is new and inspected.
 */
export class ResponsesPieceReader {
  private readonly known: KnownTexts;
  private unknownEvents = 0;
  /** Items that have ended, with what their fees depend on. */
  private readonly ended: Json[] = [];
  private isPreview = false;
  private readonly isStored: boolean;

  /**
   * @param isStored whether the provider stores the response @param requests the request as the caller sent it and as the provider received
   * it
   */
  constructor(isStored: boolean, requests: readonly Json[] = [], repeated: RepeatedTexts = {}) {
    this.isStored = isStored;
    this.known = new KnownTexts(requests, repeated);
  }

  /** @throws SyntaxError, RangeError if the text is not JSON or nested too deep */
  read(text: string): ResponsesPiece {
    const { json, body } = withoutUnfinished(readResponseJson(text));
    // Clients read the output of a whole response whatever its type is.
    const type = typeof body.type === 'string' && !Array.isArray(body.output) ? body.type : '';
    this.known.earlier.begin();
    const found = new PieceTexts(body, this.known);
    const closes = this.take(type, body, found);
    if (type !== '') closes.push(...found.others(`${itemOf(body)}.${kindName(type)}`));
    closes.push(...found.tokens.values());
    const response = type === '' ? body : holdsResponse(type) && isObject(body.response) ? body.response : undefined;
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
      usage: this.usageOf(type, body, response),
      ...this.idsOf(type, body, response),
      unknownIds: unknownIdsIn(body),
      fault: faultOf(type, body),
    };
  }

  /** Records a text that was sent to the client. */
  released(channel: string, text: string): void {
    this.known.earlier.released(channel, text);
  }

  /** Fees of items count as they end, so that a stream that is cut has them too. */
  private usageOf(type: string, { item }: Json, response: Json | undefined): Usage | undefined {
    if (response !== undefined) {
      this.isPreview ||= hasPreviewTool(response.tools);
      return fromResponsesUsage(response) ?? tierIn(response);
    }
    if (type !== 'response.output_item.done' || !isObject(item)) return undefined;
    this.ended.push({ type: item.type, action: item.action });
    const fees = feesOf(this.ended, { isPreview: this.isPreview });
    return Object.keys(fees).length === 0 ? undefined : fees;
  }

  private idsOf(type: string, body: Json, response: Json | undefined): PieceIds {
    if (type === 'response.output_item.done') return { issuedIds: idsOfItem(body.item, this.isStored) };
    if (response === undefined) return {};
    const { response: id, items } = idsOfResponse(response, this.isStored);
    const all = id === undefined ? items : [id, ...items];
    const goesOn = type === '' ? isUnfinished(response) : response.background === true && !endsResponse(type);
    if (goesOn) return { unreadId: id };
    if (type === '') return { issuedIds: all, pendingIds: all };
    return endsResponse(type) ? { issuedIds: all } : { pendingIds: id === undefined ? [] : [id] };
  }

  /** Reads the texts of a piece. @returns the channels that are complete */
  private take(type: string, body: Json, found: PieceTexts): string[] {
    const item = itemOf(body);
    const content = `${item}.content[${indexName(body.content_index)}]`;
    const streamed = streamedText(type);
    if (streamed !== undefined) {
      const { list, field, kind } = streamed.text;
      const index = list === 'summary' ? body.summary_index : body.content_index;
      const place = `${item}.${list === undefined ? '' : `${list}[${indexName(index)}].`}${field}`;
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
        found.value(body.part, ['part'], content, PART);
        return type.endsWith('done') ? [`${content}.`] : [];
      case 'response.reasoning_summary_part.added':
      case 'response.reasoning_summary_part.done':
        found.value(body.part, ['part'], `${item}.summary[${indexName(body.summary_index)}]`, PART);
        return [];
      case 'response.output_item.added':
      case 'response.output_item.done':
        return type.endsWith('done')
          ? [...found.item(body.item, ['item'], item), `${item}.`]
          : found.item(body.item, ['item'], item).filter((channel) => !GROWS.test(channel));
      case 'response.output_text.annotation.added': {
        const place = `${content}.annotations[${indexName(body.annotation_index)}]`;
        return found.value(body.annotation, ['annotation'], place, ANNOTATION, `${content}.annotations[]`);
      }
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

  /** Events of a newer API pass and are inspected like the rest. Deltas are one text until their item is done. */
  private unknown(type: string, body: Json, item: string, found: PieceTexts): string[] {
    if (typeof body.delta === 'string' && type.endsWith('.delta')) {
      const { delta, ...rest } = body;
      found.delta(delta, ['delta'], `${item}.${kindName(type)}`, callOf(callIn(type)));
      return found.value(rest, [], `events[${this.unknownEvents++}]`, EVENT, `events.${type}`);
    }
    return found.value(body, [], `events[${this.unknownEvents++}]`, EVENT, `events.${type}`);
  }

  private response(response: Json, path: JsonPath, found: PieceTexts): string[] {
    if (!Array.isArray(response.output)) return found.value(response, path, 'response', RESPONSE);
    const { output, ...rest } = response;
    for (const [at, item] of response.output.entries()) found.item(item, [...path, 'output', at], `output[${at}]`);
    return found.value(rest, path, 'response', RESPONSE);
  }
}

/** `mcp_call` of `response.mcp_call_arguments.delta`. A provider may send a type of any length. */
function callIn(type: string): string | undefined {
  const at = type.lastIndexOf(CALL_END);
  return at < 0 ? undefined : type.slice(type.lastIndexOf('.', at) + 1, at + CALL_END.length);
}

type PieceIds = Pick<ResponsePiece, 'issuedIds' | 'pendingIds' | 'unreadId'>;

/** States of a background response that its provider has not completed. */
function isUnfinished({ status }: Json): boolean {
  return status === 'queued' || status === 'in_progress';
}

/** A whole response that is unfinished, without output: the end of its text cannot be inspected yet. */
function withoutUnfinished(response: ResponseJson): ResponseJson {
  const { json, body } = response;
  if (body.type !== undefined || !isUnfinished(body) || !hasElements(body.output)) return response;
  return { json: spliceJson(json, [{ kind: 'replace', path: ['output'], json: '[]' }]), body: { ...body, output: [] } };
}

/** The output item that an event belongs to. */
function itemOf(body: Json): string {
  return `output[${indexName(body.output_index)}]`;
}

function faultOf(type: string, body: Json): string | undefined {
  if (type === 'error' || (type === '' && isObject(body.error) && !Array.isArray(body.output))) {
    return 'error instead of a response';
  }
  if (type === '') return Array.isArray(body.output) ? undefined : 'no response';
  return holdsResponse(type) && !isObject(body.response) ? 'event without a response' : undefined;
}
