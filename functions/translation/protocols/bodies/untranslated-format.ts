import type { BulkyPlaces } from '../../../kernel/json/index.ts';
import type { ResponsePiece, SecurityInfo, Usage } from '../../../kernel/model/index.ts';
import type { ResponseFormat } from '../protocol.ts';
import { readResponseJson, withSvc } from './response-json.ts';
import { type PlaceList, placesOf } from './response-places.ts';
import { UnlistedSlots } from './unlisted-texts.ts';

/** Responses that are not chats: never translated, and without text for a refusal. */
export abstract class UntranslatedFormat implements ResponseFormat {
  abstract readonly ended: boolean;
  abstract readPiece(json: string, inspected?: string): ResponsePiece;
  abstract cutWhole(json: string, empty: boolean): string;
  abstract release(piece: ResponsePiece, cut: boolean, svc: () => SecurityInfo): string | undefined;
  abstract blockedEnd(svc: SecurityInfo, usage: Usage): string[];

  withSecurity(json: string, svc: SecurityInfo): string {
    return withSvc(json, [], svc);
  }

  refusal(): undefined {
    return undefined;
  }

  received(_piece: ResponsePiece): void {}

  encodeEnd(): string[] {
    return [];
  }

  encodeWhole(): never {
    throw untranslated();
  }

  encode(): never {
    throw untranslated();
  }
}

/** Media in whole responses or in events, with `svc` in what ends them. Any text in one is inspected; the media are not. */
export abstract class MediaFormat extends UntranslatedFormat {
  ended = false;
  protected readonly others: UnlistedSlots;
  /** What the caller gets instead of the rest of a blocked stream. */
  private readonly withheld: string;

  constructor(places: PlaceList, withheld: string) {
    super();
    this.others = new UnlistedSlots(placesOf({ '': places }));
    this.withheld = withheld;
  }

  release({ json, ends, slots }: ResponsePiece, cut: boolean, svc: () => SecurityInfo): string | undefined {
    this.others.released(slots);
    if (!ends) return json;
    if (cut) return undefined;
    this.ended = true;
    return this.withSecurity(json, svc());
  }

  /** OpenAI also ends a stream with an error when it withholds media. */
  blockedEnd(svc: SecurityInfo): string[] {
    const error = { type: 'security_error', code: 'content_filter', message: this.withheld, param: null };
    return [JSON.stringify({ type: 'error', error, svc })];
  }
}

function untranslated(): Error {
  return new Error('responses of this protocol are never translated');
}

/** What a protocol reads from a response without model text. */
export interface TextlessResponse {
  readonly usage: Usage | undefined;
  /** Why the response is invalid, for the log. */
  readonly fault: string | undefined;
}

/** Responses without model text, such as embeddings. Any text in one is still inspected as output. */
export class TextlessFormat extends UntranslatedFormat {
  readonly ended = true;
  readonly bulky: BulkyPlaces | undefined;
  private readonly others: UnlistedSlots;
  private readonly readBody: (body: Readonly<Record<string, unknown>>) => TextlessResponse;

  /** @param bulky places of vectors */
  constructor(
    places: PlaceList,
    readBody: (body: Readonly<Record<string, unknown>>) => TextlessResponse,
    bulky: readonly string[] = [],
  ) {
    super();
    this.others = new UnlistedSlots(placesOf({ '': places }));
    this.readBody = readBody;
    this.bulky = bulky.length === 0 ? undefined : new Map(bulky.map((place) => [place, /^/]));
  }

  readPiece(text: string, inspected = text): ResponsePiece {
    const { json, body } = readResponseJson(text, inspected);
    const { slots } = this.others.read(body);
    const read = { json, slots, echoes: [], divisible: false, ends: true, ...this.readBody(body) };
    // A name that is redacted needs the whole JSON parsed and written.
    const isCostly = inspected !== text && slots.some(({ isName }) => isName);
    return isCostly ? { ...read, fault: 'text in a name beside vectors' } : read;
  }

  release({ json }: ResponsePiece): string {
    return json;
  }

  cutWhole(json: string): string {
    return json;
  }

  blockedEnd(): never {
    throw new Error('responses of this protocol are never streamed');
  }
}
