import type { ResponsePiece } from '../../../kernel/model/index.ts';
import { readResponseJson } from '../bodies/response-json.ts';
import { UnlistedSlots } from '../bodies/unlisted-texts.ts';
import { UntranslatedFormat } from '../bodies/untranslated-format.ts';
import { INPUT_ITEMS } from './responses-events.ts';

/** A page of the input of a stored response: `{"object": "list", "data": [...], "first_id", "last_id", "has_more"}`. */
export class InputItemsFormat extends UntranslatedFormat {
  readonly ended = true;
  private readonly others = new UnlistedSlots(INPUT_ITEMS);

  readPiece(text: string): ResponsePiece {
    const { json, body } = readResponseJson(text);
    const { slots } = this.others.read(body);
    const fault = Array.isArray(body.data) ? undefined : 'no list of items';
    return { json, slots, echoes: [], divisible: false, ends: true, usage: undefined, fault };
  }

  release({ json }: ResponsePiece): string {
    return json;
  }

  /** A blocked page is empty: part of an item would be another item. */
  cutWhole(json: string): string {
    return JSON.stringify({ ...(JSON.parse(json) as object), data: [], first_id: null, last_id: null });
  }

  blockedEnd(): never {
    throw new Error('lists are never streamed');
  }
}
