import type { Exchange } from './gateway.ts';
import { placeOf } from './reasons.ts';
import type { Leaf } from './schema/leaves.ts';

/** Fields that hold all of a conversation: their names alone would name any place of it. */
const WHOLE = new Set(['messages', 'contents', 'input']);

/** Whether a request was refused by the name of a place or of its parent; an id that is not the key's is not found. */
export function isRefusedFor({ status, text }: Exchange, { path }: Leaf): boolean {
  if (status !== 400 && status !== 404) return false;
  const param = paramOf(text);
  return param !== undefined && names(param, placeOf(path));
}

/** Whether a warning of a response names a place, its parent, or a part of it. */
export function isWarnedOf({ text }: Exchange, { path }: Leaf): boolean {
  return warningsIn(text).some(({ field }) => names(field, placeOf(path)));
}

export function warningsIn(text: string): readonly { readonly code: string; readonly field: string }[] {
  const { svc } = JSON.parse(text) as { svc?: { warnings?: { code: string; field: string }[] } };
  return svc?.warnings ?? [];
}

function names(field: string, place: string): boolean {
  const named = field.replace(/\[\d+\]/g, '[]');
  if (WHOLE.has(named) && place !== named) return false;
  return (
    place === named || place.startsWith(`${named}.`) || place.startsWith(`${named}[`) || named.startsWith(`${place}.`)
  );
}

/** The field that an error names, in the format of any of the APIs. */
export function paramOf(text: string): string | undefined {
  const { error } = JSON.parse(text) as { error: { param?: string; details?: { metadata?: { param?: string } }[] } };
  return error.param ?? error.details?.[0]?.metadata?.param;
}
