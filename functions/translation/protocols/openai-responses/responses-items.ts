import { isObject } from '../../../kernel/json/index.ts';
import type { OutputItem } from '../../../kernel/model/index.ts';
import type { ItemReference, ItemRules } from '../protocol.ts';
import { endsResponse } from './responses-events.ts';
import { typeOfItem } from './responses-names.ts';
import type { ResponsesRequest } from './responses-schema.ts';

/** Items that a translated response can have, by the beginning of their ids. */
type ItemPrefix = 'msg' | 'rs' | 'fc' | 'ctc';

/** OpenAI's ids are longer: 48 digits or more. */
const OWN_ID = /^(?:msg|rs|fc|ctc)_([0-9a-f]{32})(?:0|[1-9]\d{0,5})$/;

/** The id of an item that the gateway makes: it contains the response's id and the item's index. */
export function toItemId(prefix: ItemPrefix, responseId: string, at: number): string {
  return `${prefix}_${responseId}${at}`;
}

/** The response that an item of a translated response belongs to; undefined for any other id. */
export function responseOfItem(id: string): string | undefined {
  return OWN_ID.exec(id)?.[1];
}

/** Items of translated responses and messages instead of removed calls, which the gateway stores in place of OpenAI. */
export const RESPONSES_ITEMS: ItemRules<ResponsesRequest> = {
  isKept: ({ store }) => store !== false,
  outputOf: (json) => {
    const body = JSON.parse(json) as Record<string, unknown>;
    const response = endsResponse(String(body.type)) ? body.response : body;
    const items = isObject(response) && Array.isArray(response.output) ? response.output.filter(isObject) : [];
    return items.filter(({ id }) => typeof id === 'string' && responseOfItem(id) !== undefined);
  },
  references,
  toInput: (item) => {
    // OpenAI does not know the id. It is optional in items of a request, except in messages of an assistant.
    const { id: _, ...rest } = item;
    return item.type === 'message' ? item : rest;
  },
};

/** The references to items of translated responses in a request that is not checked yet. */
function references(value: unknown): ItemReference[] {
  if (!isObject(value) || !Array.isArray(value.input)) return [];
  return value.input.flatMap((item: unknown, at): ItemReference[] => {
    if (!isReference(item)) return [];
    const responseId = responseOfItem(item.id);
    return responseId === undefined
      ? []
      : [{ id: item.id, what: 'Item', param: `input[${at}].id`, responseId, path: ['input', at] }];
  });
}

function isReference(item: unknown): item is OutputItem & { readonly id: string } {
  if (!isObject(item) || typeof item.id !== 'string') return false;
  return item.type == null ? typeOfItem(item as { type?: null }) === 'item_reference' : item.type === 'item_reference';
}
