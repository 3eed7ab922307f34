import type { DeliveredEvent } from './delivered-event.ts';

/** A body stays below 64 KB. */
export const MAX_EVENT_BYTES = 64 * 1024 - 1;

/**
 * The exact text that is sent of an event: `{id, type, created, data}`. Where that is too long the largest fields of `data`
 * are left out, and `data.omitted` names them.
 */
export function eventBody({ id, type, created, data }: DeliveredEvent): string {
  const kept = { ...data };
  const omitted: string[] = [];
  for (;;) {
    const text = JSON.stringify({ id, type, created, data: { ...kept, ...(omitted.length > 0 && { omitted }) } });
    if (Buffer.byteLength(text) <= MAX_EVENT_BYTES) return text;
    const [largest] = Object.keys(kept).sort((a, b) => lengthOf(kept[b]) - lengthOf(kept[a]));
    if (largest === undefined) throw new Error(`event ${id} is too large without any data`);
    delete kept[largest];
    omitted.push(largest);
  }
}

function lengthOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}
