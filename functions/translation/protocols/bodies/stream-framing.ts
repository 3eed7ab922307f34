import type { StreamFraming } from '../protocol.ts';

const TYPE_FIRST = /^\{"type":"([a-z_.]+)"/;
/** Any other event name could end the line early. */
const EVENT_NAME = /^[\w.-]{1,64}$/;

/** Framing of a stream with named events: the JSON contains the name, nearly always first. Nothing follows the last event. */
export const NAMED_EVENTS: StreamFraming = {
  event: (json) => `event: ${eventName(json) ?? 'message'}\ndata: ${oneLine(json)}\n\n`,
  end: '',
};

/** The top-level type of an event's JSON; undefined if it has none that can be a name. */
export function eventName(json: string): string | undefined {
  const first = TYPE_FIRST.exec(json)?.[1];
  if (first !== undefined) return first;
  const { type } = JSON.parse(json) as { type?: unknown };
  return typeof type === 'string' && EVENT_NAME.test(type) ? type : undefined;
}

/** JSON on one line, as event data requires. Providers may spread it over several lines; line breaks occur only between values. */
export function oneLine(json: string): string {
  return json.includes('\n') ? json.replaceAll('\n', ' ') : json;
}
