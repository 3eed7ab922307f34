import type { Exchange } from './gateway.ts';
import { placeOf } from './reasons.ts';
import type { Leaf } from './schema/leaves.ts';
import { IN_OTHER_WORDS } from './untold-fields.ts';

/** Fields that hold all of a conversation: their names alone would name any place of it. */
const WHOLE = new Set(['messages', 'contents', 'input']);

/** Whether a request was refused by the name of a place or of its parent; an id that is not the key's is not found. */
export function isRefusedFor({ status, text }: Exchange, { path }: Leaf): boolean {
  if (status !== 400 && status !== 404) return false;
  const param = paramOf(text)?.replace(/\[\d+\]/g, '[]');
  const place = placeOf(path);
  if (!param || (WHOLE.has(param) && place !== param)) return false;
  if (Object.entries(IN_OTHER_WORDS).some(([start, word]) => place.startsWith(start) && param === word)) return true;
  return (
    place === param || place.startsWith(`${param}.`) || place.startsWith(`${param}[`) || param.startsWith(`${place}.`)
  );
}

function paramOf(text: string): string | undefined {
  const { error } = JSON.parse(text) as { error: { param?: string; details?: { metadata?: { param?: string } }[] } };
  return error.param ?? error.details?.[0]?.metadata?.param;
}
