import type { Answer } from '../../fidelity/upstream.ts';
import { sse } from './answer-formats.ts';

/** What a client has of a response: its texts and calls in order, and why it ended. */
export type Received = { readonly blocks: readonly Block[]; readonly reason: unknown; readonly svc: Svc };
/** A text, or a call with its arguments. `written`: their text, where it is not the JSON of `args`. */
export type Block = string | { readonly name: string; readonly args: unknown; readonly written?: string };
export interface Svc {
  readonly action: string;
  readonly coverage: { readonly skipped: readonly string[] };
  readonly approvals?: readonly object[];
  readonly detected_threats: readonly Record<string, unknown>[];
}
type Json = Record<string, unknown>;

/** How calls are written and read in one API. */
export interface CallApi {
  readonly path: (lane: number, streams: boolean) => string;
  readonly members: (lane: number, streams: boolean) => object;
  readonly whole: (blocks: readonly Block[]) => Answer;
  /** `size`: the characters of arguments in one event. */
  readonly streamed: (blocks: readonly Block[], size: number) => Answer;
  readonly read: (jsons: readonly Json[]) => Received;
  /** The field of an argument of the block at an index, the second call. */
  readonly field: string;
}

const json = (body: object): Answer => ({ body: JSON.stringify(body), type: 'application/json' });
const events = (list: readonly object[], ...end: string[]) => sse(...list.map((one) => JSON.stringify(one)), ...end);
const piecesOf = (text: string, size: number) => text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
type Made = Exclude<Block, string>;
const isText = (block: Block): block is string => typeof block === 'string';
const isMade = (block: Block): block is Made => typeof block !== 'string';
const reads = (block: Block) => (isText(block) ? '' : (block.written ?? JSON.stringify(block.args)));

// Chat completions.

const chatCall = (block: Made, index: number) => ({
  id: `call_${index}`,
  type: 'function',
  function: { name: block.name, arguments: reads(block) },
});
const chatMessage = (blocks: readonly Block[]) => {
  const text = blocks.filter(isText).join('');
  const calls = blocks.filter(isMade);
  return { role: 'assistant', content: text === '' ? null : text, tool_calls: calls.map(chatCall) };
};
const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'c1',
  choices: [{ index: 0, delta, finish_reason }],
});

function chatChunks(blocks: readonly Block[], size: number): object[] {
  let index = -1;
  const deltas = blocks.flatMap((block): object[] => {
    if (isText(block)) return [{ content: block }];
    index++;
    const { function: made, ...call } = chatCall(block, index);
    const start = { tool_calls: [{ index, ...call, function: { name: made.name, arguments: '' } }] };
    const rest = piecesOf(made.arguments, size).map((text) => ({
      tool_calls: [{ index, function: { arguments: text } }],
    }));
    return [start, ...rest];
  });
  return [chunk({ role: 'assistant', content: '' }), ...deltas.map((delta) => chunk(delta)), chunk({}, 'tool_calls')];
}

/** As OpenAI's clients do: a list filled by index, without gaps. */
function readChat(jsons: readonly Json[]): Received {
  let content = '';
  const calls: { name: string; text: string }[] = [];
  let reason: unknown;
  for (const { choices } of jsons) {
    for (const choice of (choices ?? []) as Json[]) {
      const message = (choice.delta ?? choice.message) as Json;
      content += message.content ?? '';
      for (const [at, call] of ((message.tool_calls ?? []) as Json[]).entries()) {
        const index = (call.index ?? at) as number;
        if (index > calls.length) throw new Error(`a gap before index ${index}`);
        const { name = '', arguments: text = '' } = call.function as Record<string, string>;
        const known = calls[index] ?? { name: '', text: '' };
        calls[index] = { name: known.name + name, text: known.text + text };
      }
      reason = choice.finish_reason ?? reason;
    }
  }
  const made = calls.map(({ name, text }) => ({ name, args: JSON.parse(text) as unknown }));
  return { blocks: content === '' ? made : [content, ...made], reason, svc: svcIn(jsons) };
}

// Messages.

const block = (one: Block, index: number) =>
  isText(one)
    ? { type: 'text', text: one }
    : { type: 'tool_use', id: `toolu_${index}`, name: one.name, input: one.args };
const message = {
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'm',
  usage: { input_tokens: 1, output_tokens: 1 },
};

function messageEvents(blocks: readonly Block[], size: number): object[] {
  const own = blocks.flatMap((one, index) => {
    const empty = isText(one) ? { type: 'text', text: '' } : { ...block(one, index), input: {} };
    const deltas = isText(one)
      ? [{ type: 'text_delta', text: one }]
      : piecesOf(reads(one), size).map((partial_json) => ({ type: 'input_json_delta', partial_json }));
    return [
      { type: 'content_block_start', index, content_block: empty },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ];
  });
  return [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    ...own,
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ];
}

/** As Anthropic's clients do: blocks that begin in order, get deltas of their type and end. */
function readMessages(jsons: readonly Json[]): Received {
  const [first = {}] = jsons;
  if (first.type === 'message')
    return { blocks: (first.content as Json[]).map(toBlock), reason: first.stop_reason, svc: svcIn(jsons) };
  const content: (Json & { json?: string })[] = [];
  let open: number | undefined;
  let reason: unknown;
  for (const { type, index, content_block, delta } of jsons as (Json & { delta: Json })[]) {
    if (type === 'content_block_start') {
      if (open !== undefined || index !== content.length) throw new Error(`block ${index} after ${content.length}`);
      open = index as number;
      content.push({ ...(content_block as Json) });
    } else if (type === 'content_block_delta') {
      const one = content[index as number] as Json & { json?: string };
      if (index !== open) throw new Error(`a delta of ${index} in ${open}`);
      if (delta.type === 'text_delta' && one.type === 'text') one.text = `${one.text}${delta.text}`;
      else if (delta.type === 'input_json_delta' && one.type === 'tool_use')
        one.json = (one.json ?? '') + delta.partial_json;
      else throw new Error(`${delta.type} in ${one.type}`);
    } else if (type === 'content_block_stop') {
      if (index !== open) throw new Error(`the end of ${index} in ${open}`);
      const { json: text, ...one } = content[index as number] as Json & { json?: string };
      if (text !== undefined) content[index as number] = { ...one, input: JSON.parse(text) };
      open = undefined;
    } else if (type === 'message_delta') reason = delta.stop_reason;
  }
  return { blocks: content.map(toBlock), reason, svc: svcIn(jsons) };
}

function toBlock({ type, text, name, input }: Json): Block {
  return type === 'text' ? (text as string) : { name: name as string, args: input };
}

// Responses.

const item = (one: Block, index: number): Json =>
  isText(one)
    ? {
        id: `msg_${index}`,
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: one, annotations: [], logprobs: [] }],
      }
    : {
        id: `fc_${index}`,
        type: 'function_call',
        status: 'completed',
        call_id: `call_${index}`,
        name: one.name,
        arguments: reads(one),
      };
const response = (output: readonly object[], status = 'completed') => ({
  id: 'resp_1',
  object: 'response',
  status,
  output,
});

function responseEvents(blocks: readonly Block[], size: number): object[] {
  const own = blocks.flatMap((one, output_index): object[] => {
    const whole = item(one, output_index);
    const place = { output_index, item_id: whole.id };
    if (isText(one)) {
      const [part] = whole.content as Json[];
      return [
        { type: 'response.output_item.added', output_index, item: { ...whole, status: 'in_progress', content: [] } },
        { type: 'response.content_part.added', ...place, content_index: 0, part: { ...part, text: '' } },
        { type: 'response.output_text.delta', ...place, content_index: 0, delta: one },
        { type: 'response.output_text.done', ...place, content_index: 0, text: one },
        { type: 'response.content_part.done', ...place, content_index: 0, part },
        { type: 'response.output_item.done', output_index, item: whole },
      ];
    }
    return [
      { type: 'response.output_item.added', output_index, item: { ...whole, status: 'in_progress', arguments: '' } },
      ...piecesOf(reads(one), size).map((delta) => ({
        type: 'response.function_call_arguments.delta',
        ...place,
        delta,
      })),
      { type: 'response.function_call_arguments.done', ...place, arguments: reads(one) },
      { type: 'response.output_item.done', output_index, item: whole },
    ];
  });
  const all = [
    { type: 'response.created', response: response([], 'in_progress') },
    ...own,
    { type: 'response.completed', response: response(blocks.map(item)) },
  ];
  return all.map((event, sequence_number) => ({ ...event, sequence_number }));
}

/** Items as their events built them, which must be those of the completed response. */
function readResponses(jsons: readonly Json[]): Received {
  const last = jsons.at(-1) as Json;
  const whole = (last.response ?? last) as Json;
  const output = whole.output as Json[];
  if (jsons.length > 1) {
    const built: Json[] = [];
    for (const [at, event] of (jsons as (Json & { output_index: number })[]).entries()) {
      if (event.sequence_number !== at) throw new Error(`number ${event.sequence_number} instead of ${at}`);
      const { type, output_index: index } = event;
      if (type === 'response.output_item.added' && index !== built.length) throw new Error(`item ${index} is late`);
      if (type === 'response.output_item.added') built.push({ ...(event.item as Json), streamed: '' });
      const open = built[index] ?? {};
      if (typeof event.delta === 'string') open.streamed = `${open.streamed}${event.delta}`;
      if (type === 'response.output_item.done') {
        const text = textOf(event.item as Json);
        if (open.streamed !== text || open.id !== (event.item as Json).id)
          throw new Error(`${open.streamed} is not ${text}`);
        built[index] = event.item as Json;
      }
    }
    if (JSON.stringify(built) !== JSON.stringify(output)) throw new Error('the events built another response');
  }
  const blocks = output.map((one) =>
    one.type === 'message'
      ? textOf(one)
      : { name: one.name as string, args: JSON.parse(one.arguments as string) as unknown },
  );
  return { blocks, reason: whole.status, svc: svcIn(jsons) };
}

function textOf({ type, content, arguments: args }: Json): string {
  return type === 'message' ? ((content as Json[])[0]?.text as string) : (args as string);
}

// Gemini.

const part = (one: Block) => (isText(one) ? { text: one } : { functionCall: { name: one.name, args: one.args } });
const candidate = (parts: readonly object[], finishReason?: string) => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, ...(finishReason && { finishReason }) }],
});

/** Arguments streamed piece by piece, if `size` is small: Vertex AI's `partialArgs`. */
function geminiChunks(blocks: readonly Block[], size: number): object[] {
  const chunks = blocks.flatMap((one): object[] => {
    if (isText(one) || size > 8) return [candidate([part(one)])];
    const values = Object.entries(one.args as Record<string, string>).flatMap(([name, value]) =>
      piecesOf(value, size).map((stringValue) => ({ jsonPath: `$.${name}`, stringValue, willContinue: true })),
    );
    const partial = (functionCall: object) => candidate([{ functionCall }]);
    return [
      partial({ name: one.name, willContinue: true }),
      ...values.map((value) => partial({ partialArgs: [value], willContinue: true })),
      partial({}),
    ];
  });
  return [...chunks, candidate([], 'STOP')];
}

function readGemini(jsons: readonly Json[]): Received {
  const blocks: Block[] = [];
  let reason: unknown;
  let open: { name: string; args: Record<string, string> } | undefined;
  for (const { candidates } of jsons) {
    const [one] = candidates as [Json & { content: { parts: Json[] } }];
    reason = one.finishReason ?? reason;
    for (const { text, functionCall: call } of one.content.parts as { text?: string; functionCall?: Json }[]) {
      if (text !== undefined) blocks.push(text);
      if (call === undefined) continue;
      if (typeof call.name === 'string') {
        open = { name: call.name, args: (call.args ?? {}) as Record<string, string> };
        blocks.push(open);
      }
      for (const { jsonPath, stringValue } of (call.partialArgs ?? []) as Record<string, string>[]) {
        const name = String(jsonPath).slice(2);
        if (open === undefined) throw new Error('arguments without a call');
        open.args[name] = (open.args[name] ?? '') + stringValue;
      }
    }
  }
  return { blocks, reason, svc: svcIn(jsons) };
}

function svcIn(jsons: readonly Json[]): Svc {
  const holders = jsons.flatMap((one) => [one, Object(one.response)]);
  return holders.findLast((one) => Object(one).svc !== undefined)?.svc as Svc;
}

const model = (name: string) => (lane: number, streams: boolean) => ({
  model: `${name}-w${lane}`,
  ...(streams && { stream: true }),
});

export const CALL_APIS: Readonly<Record<'chat' | 'responses' | 'messages' | 'gemini', CallApi>> = {
  chat: {
    path: () => '/v1/chat/completions',
    members: model('gpt'),
    whole: (blocks) =>
      json({ id: 'c1', choices: [{ index: 0, message: chatMessage(blocks), finish_reason: 'tool_calls' }] }),
    streamed: (blocks, size) => events(chatChunks(blocks, size), '[DONE]'),
    read: readChat,
    field: 'choices[0].message.tool_calls[1].function.arguments.to',
  },
  responses: {
    path: () => '/v1/responses',
    members: model('gpt'),
    whole: (blocks) => json(response(blocks.map(item))),
    streamed: (blocks, size) => events(responseEvents(blocks, size)),
    read: readResponses,
    field: 'output[2].arguments.to',
  },
  messages: {
    path: () => '/v1/messages',
    members: model('claude'),
    whole: (blocks) => json({ ...message, content: blocks.map(block), stop_reason: 'tool_use', stop_sequence: null }),
    streamed: (blocks, size) => events(messageEvents(blocks, size)),
    read: readMessages,
    field: 'content[2].input.to',
  },
  gemini: {
    path: (lane, streams) =>
      `/v1beta/models/gemini-w${lane}:${streams ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    members: () => ({}),
    whole: (blocks) => json(candidate(blocks.map(part), 'STOP')),
    streamed: (blocks, size) => events(geminiChunks(blocks, size)),
    read: readGemini,
    field: 'functionCall.args.to',
  },
};
