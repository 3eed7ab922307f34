// biome-ignore lint/suspicious/noExplicitAny: looked into freely
type Json = any;

const FIELD: Readonly<Record<string, readonly [list: string | undefined, index: string, field: string]>> = {
  'response.output_text': ['content', 'content_index', 'text'],
  'response.refusal': ['content', 'content_index', 'refusal'],
  'response.reasoning_summary_text': ['summary', 'summary_index', 'text'],
  'response.function_call_arguments': [undefined, '', 'arguments'],
  'response.custom_tool_call_input': [undefined, '', 'input'],
};

/** What a client has read from a stream. */
export interface ReadResponse {
  /** The texts from deltas, by their place in the response. */
  readonly deltas: Readonly<Record<string, string>>;
  /** The response in the last event. */
  readonly response: Json;
  /** Every contradiction within the stream; should be empty. */
  readonly faults: readonly string[];
}

/**
 * Reads a stream like a client and lists contradictions: gaps in sequence numbers, and texts, parts, items or a final response that differ
 * from earlier events.
 */
export function readResponseEvents(events: readonly Json[]): ReadResponse {
  const deltas: Record<string, string> = {};
  const items: Json[] = [];
  const faults: string[] = [];
  const expectSame = (what: string, said: unknown, known: unknown) => {
    if (JSON.stringify(said) !== JSON.stringify(known)) faults.push(`${what}: ${JSON.stringify([said, known])}`);
  };
  const expectTexts = (at: number, item: Json) => {
    for (const [place, text] of Object.entries(deltas)) {
      if (place.startsWith(`output[${at}].`))
        expectSame(place, valueAt(item, place.slice(`output[${at}].`.length)), text);
    }
  };
  events.forEach((event, at) => {
    expectSame(`number of event ${at}`, event.sequence_number, at);
    const { type, output_index: index } = event;
    const dot = type.lastIndexOf('.');
    const [list, name, field] = FIELD[type.slice(0, dot)] ?? [];
    const place = `output[${index}].${list === undefined ? '' : `${list}[${event[name as string]}].`}${field}`;
    if (field !== undefined && type.endsWith('.delta')) deltas[place] = (deltas[place] ?? '') + event.delta;
    else if (field !== undefined) expectSame(place, event[field], deltas[place] ?? '');
    if (type === 'response.output_item.added') items[index] = event.item;
    if (type === 'response.output_item.done') {
      items[index] = event.item;
      expectTexts(index, event.item);
    }
    if (type === 'response.content_part.done') {
      const part = event.part;
      const partPlace = `output[${index}].content[${event.content_index}].${part.type === 'refusal' ? 'refusal' : 'text'}`;
      expectSame(partPlace, part.text ?? part.refusal, deltas[partPlace] ?? '');
    }
  });
  const last = events.at(-1);
  if (!/^response\.(completed|incomplete|failed)$/.test(last?.type)) faults.push(`the last event is ${last?.type}`);
  if (events[0]?.type !== 'response.created') faults.push(`the first event is ${events[0]?.type}`);
  const secured = events.filter(({ response }) => response?.svc !== undefined);
  if (secured.length !== 1 || secured[0] !== last) faults.push('svc stands elsewhere');
  const output: Json[] = last?.response?.output ?? [];
  for (const item of output) {
    const at = items.findIndex((known) => known?.id === item.id);
    if (at < 0) faults.push(`an item that was never added: ${item.id}`);
    else expectSame(`item ${at} at the end`, item, items[at]);
  }
  return { deltas, response: last?.response, faults };
}

function valueAt(item: Json, place: string): unknown {
  return place
    .split(/[.[\]]+/)
    .filter((step) => step !== '')
    .reduce((at, step) => at?.[step], item);
}
