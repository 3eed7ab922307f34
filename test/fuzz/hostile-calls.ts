import fc from 'fast-check';
import { sse } from '../threats/responses/answer-formats.ts';
import { type Block, CALL_APIS } from '../threats/responses/called-tools.ts';
import { nearJson, nearText } from './hostile-json.ts';

type Json = Record<string, unknown>;

/** Texts and calls, some of the tool `name`; arguments are broken, doubled or name a member twice. */
export function blocksWith(name: string): fc.Arbitrary<readonly Block[]> {
  const text = JSON.stringify({ to: 'a@b.test' });
  const twice = '{"to":"c@d.test","to":"a@b.test"}';
  const written = fc.oneof(
    fc.constantFrom(text, '', twice, `${text}${text}`, `[${text}]`),
    nearText(fc.constant(text)),
  );
  const call = fc.record({
    name: fc.constantFrom(name, name, 'read_mail', '', name.toUpperCase(), '__proto__'),
    args: fc.constantFrom<object>({ to: 'a@b.test' }, {}),
    written,
  });
  const block = fc.oneof({ weight: 1, arbitrary: fc.constant<Block>('Let me see.') }, { weight: 3, arbitrary: call });
  return fc.array(block, { minLength: 1, maxLength: 4 });
}

/** Bodies of a response with these blocks and near it; events are changed, doubled and moved one by one. */
export function answersOf(
  api: keyof typeof CALL_APIS,
  made: readonly Block[],
  size: number | undefined,
): fc.Arbitrary<string> {
  if (size === undefined) {
    const whole = String(CALL_APIS[api].whole(made).body);
    return fc.oneof(fc.constant(whole), nearJson(fc.constant(JSON.parse(whole))));
  }
  const events = String(CALL_APIS[api].streamed(made, size).body)
    .split('\n\n')
    .flatMap((event) => /data: (.*)/s.exec(event)?.[1] ?? []);
  const edit = fc.record({
    kind: fc.constantFrom('change', 'change', 'double', 'drop', 'move'),
    at: fc.nat(events.length - 1),
    to: fc.nat(events.length - 1),
  });
  return fc.array(edit, { maxLength: 3 }).chain((edits) => {
    let list = events.map((event): fc.Arbitrary<string> => fc.constant(event));
    for (const { kind, at, to } of edits) {
      const one = list[at];
      if (one === undefined) continue;
      if (kind === 'change' && events[at] !== '[DONE]')
        list[at] = nearJson(fc.constant(JSON.parse(events[at] as string)));
      else if (kind === 'double') list = list.toSpliced(at, 0, one);
      else if (kind === 'drop') list = list.toSpliced(at, 1);
      else if (kind === 'move') list = list.toSpliced(at, 1).toSpliced(to, 0, one);
    }
    return fc.tuple(...list).map((all) => String(sse(...all).body));
  });
}

/** The JSON texts of a whole body or of its events. */
function jsonsIn(text: string): Json[] {
  const jsons = text.startsWith('{')
    ? [text]
    : text.split('\n').flatMap((line) => /^data: (\{.*)/s.exec(line)?.[1] ?? []);
  return jsons.map((json) => JSON.parse(json) as Json);
}

/** The names of the calls that a lenient client of any API finds; pieces of a name are joined. */
export function namesIn(text: string): string[] {
  const names: string[] = [];
  const pieces = new Map<string, string>();
  for (const body of jsonsIn(text)) {
    for (const choice of listOf(body.choices)) {
      const message = objectOf(choice.delta ?? choice.message);
      const made = [...listOf(message.tool_calls), { index: 'old', function: message.function_call }];
      for (const [at, call] of made.entries()) {
        const place = `${choice.index} ${call.index ?? at}`;
        pieces.set(place, `${pieces.get(place) ?? ''}${objectOf(call.function).name ?? ''}`);
        names.push(String(objectOf(call.function).name), String(objectOf(call.custom).name));
      }
    }
    for (const one of callHolders(body).map(objectOf))
      if (/_(?:call|use)$/.test(String(one.type))) names.push(String(one.name));
    for (const candidate of listOf(body.candidates))
      for (const part of listOf(objectOf(candidate.content).parts))
        names.push(String(objectOf(part.functionCall).name));
  }
  return [...names, ...pieces.values()];
}

/** The arguments of the calls that a lenient client of any API finds, as texts; pieces are joined by index, and by item. */
export function argumentsIn(text: string): string[] {
  const found: unknown[] = [];
  const pieces = new Map<string, string>();
  let calls = 0;
  const join = (place: string, piece: unknown) => {
    if (typeof piece === 'string') pieces.set(place, (pieces.get(place) ?? '') + piece);
  };
  for (const body of jsonsIn(text)) {
    for (const choice of listOf(body.choices)) {
      const message = objectOf(choice.delta ?? choice.message);
      for (const [at, call] of listOf(message.tool_calls).entries()) {
        const { arguments: args, input = args } = { ...objectOf(call.custom), ...objectOf(call.function) };
        join(`${choice.index} ${call.index ?? at}`, input);
        found.push(input);
      }
      join('function_call', objectOf(message.function_call).arguments);
    }
    if (/arguments|input/.test(String(body.type))) {
      join(`output ${body.output_index}`, body.delta);
      join(`item ${body.item_id}`, body.delta);
      found.push(body.arguments, body.input);
    }
    for (const one of callHolders(body).map(objectOf)) {
      if (/_(?:call|use)$/.test(String(one.type))) found.push(one.arguments, one.input);
    }
    if (body.type === 'content_block_delta') join(`block ${body.index}`, objectOf(body.delta).partial_json);
    for (const [at, candidate] of listOf(body.candidates).entries()) {
      for (const { functionCall } of listOf(objectOf(candidate.content).parts)) {
        const call = objectOf(functionCall);
        found.push(call.args);
        if (call.name) calls += 1;
        for (const { jsonPath, stringValue } of listOf(call.partialArgs))
          join(`${at} ${calls} ${jsonPath}`, stringValue);
        if (call.willContinue !== true) calls += 1;
      }
    }
  }
  const texts = found.map((one) => (typeof one === 'string' ? one : (JSON.stringify(one) ?? '')));
  return [...texts, ...pieces.values()];
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

/** What may be a call in a response or an event of the Responses or Messages API. Clients skip events of other types. */
function callHolders({ type, item, content_block, response, message, output, content }: Json): unknown[] {
  if (typeof type === 'string' && type.startsWith('response.')) return [item, ...listOf(objectOf(response).output)];
  if (type === 'content_block_start') return [content_block];
  if (type === 'message_start') return listOf(objectOf(message).content);
  return [...listOf(output), ...listOf(content)];
}
