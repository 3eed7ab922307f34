import type { StreamFraming } from '../protocol.ts';

const TYPE_FIRST = /^\{"type":"([a-z_.]+)"/;
/** Whatever else a provider calls an event must not end its line. */
const EVENT_NAME = /^[\w.-]{1,64}$/;

/** Framing of a stream whose events are named: their JSON tells the name, nearly always first. Nothing follows the last one. */
export const NAMED_EVENTS: StreamFraming = {
  event: (json) => `event: ${eventName(json) ?? 'message'}\ndata: ${oneLine(json)}\n\n`,
  end: '',
};

/** The type of an event's own JSON, never of an object within it; undefined where it has none that can be a name. */
export function eventName(json: string): string | undefined {
  const first = TYPE_FIRST.exec(json)?.[1];
  if (first !== undefined) return first;
  const { type } = JSON.parse(json) as { type?: unknown };
  return typeof type === 'string' && EVENT_NAME.test(type) ? type : undefined;
}

/** JSON as the one line that an event's data is: a provider may spread it over several. Line breaks in it stand between values only. */
export function oneLine(json: string): string {
  return json.includes('\n') ? json.replaceAll('\n', ' ') : json;
}
