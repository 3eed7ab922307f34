import { chat, filled, type HostileCase, many, phones } from './hostile-case.ts';

/** The provider responds by the name of its model. */
const answered = (name: string, model: string, stream: boolean): HostileCase => ({
  name,
  path: '/chat/completions',
  body: () => ({ ...chat('Hi'), model: `openai/${model}`, stream }),
  answer: model,
});
const embedded = (name: string, model: string): HostileCase => ({
  name,
  path: '/embeddings',
  body: () => ({ model: `openai/${model}`, input: 'Hi' }),
  answer: model,
});
const drawn = (name: string, model: string): HostileCase => ({
  name,
  path: '/images/generations',
  body: () => ({ model: `openai/${model}`, prompt: 'A cat' }),
  answer: model,
});
const messaged = (name: string, model: string, stream: boolean): HostileCase => ({
  name,
  path: '/messages',
  body: () => ({ ...chat('Hi'), model: `anthropic/${model}`, stream }),
  answer: model,
});

export const RESPONSES: readonly HostileCase[] = [
  answered('5 MB', 'long', false),
  answered('20,000 choices', 'choices', true),
  answered('100,000 small events', 'events', true),
  answered('one event of 5 MB', 'event', true),
  answered('20,000 cited pages', 'cited', true),
  answered('60 MB of empty arrays', 'arrays', false),
  answered('60 MB of numbers', 'numbers', false),
  answered('60 MB in one string', 'unit', false),
  answered('5 MB of short strings', 'strings', false),
  answered('79,000 short strings', 'texts', false),
  answered('500,000 names', 'names', false),
  answered('50,000 members of ours', 'ours', false),
  answered('1,000 tokens of 20 alternatives', 'logprobs', false),
  answered('one event of 7 MB of short strings', 'strings-event', true),
  answered('one event of 7 MB of numbers', 'numbers-event', true),
  answered('one event of 7 MB of short lines', 'lines-event', true),
  answered('error of 60 MB', 'error', false),
  embedded('embeddings of 39 MB', 'embeddings'),
  embedded('embeddings of 33 MB in base64', 'vectors'),
  embedded('embeddings with 60 MB of empty arrays', 'arrays'),
  drawn('images of 60 MB', 'images'),
  answered('addresses in a stream of 3 MB', 'addresses', true),
  answered('60 MB of comments in a stream', 'comments', true),
  { ...messaged('Messages response of 5 MB, translated', 'claude', false), path: '/chat/completions' },
  messaged('Messages response of 5 MB', 'claude', false),
  messaged('Messages stream of 50,000 events', 'claude-events', true),
  {
    name: 'stored response of 5 MB',
    path: '/responses/resp_bench',
    body: undefined,
    answer: 'stored',
    before: { path: '/responses', body: { model: 'openai/stored-id', input: 'Hi', store: true } },
  },
  {
    name: 'speech of 60 MB',
    path: '/audio/speech',
    body: () => ({ model: 'openai/speech', input: 'Hi', voice: 'alloy' }),
    answer: 'speech',
  },
  { name: 'list of models of 4 MB', path: '/models', body: undefined, answer: 'models', isOnce: true },
];

interface Answer {
  readonly type: string;
  readonly body: string;
  readonly status?: number;
}

/** The provider's responses by model. */
export const ANSWERS: Readonly<Record<string, () => Answer>> = {
  long: () => json({ choices: [choiceOf({ content: phones(5_000_000) })] }),
  choices: () => events(many(20_000, (at) => choice(at, { content: 'Hi' }, null))),
  events: () => events([...many(100_000, () => choice(0, { content: 'word ' }, null)), choice(0, {}, 'stop')]),
  event: () => events([choice(0, { content: filled('call +49 30 901820 ', 5_000_000) }, null), choice(0, {}, 'stop')]),
  cited: () =>
    events([
      ...many(2_000, (at) =>
        choice(
          0,
          { content: 'word ', pages: many(10, (page) => ({ title: `The page ${page} that it cites ${at}` })) },
          null,
        ),
      ),
      choice(0, {}, 'stop'),
    ]),
  arrays: () => beside(`"data":[],"more":[${filled('[],', 60_000_000)}[]]`),
  numbers: () => beside(`"more":[${filled('1,', 60_000_000)}1]`),
  unit: () => beside(`"more":"${filled('a', 60_000_000)}"`),
  strings: () => beside(`"more":[${filled('"a b",', 5_000_000)}"a b"]`),
  texts: () => beside(`"more":${JSON.stringify(many(79_000, (at) => `text ${at}`))}`),
  names: () => beside(`"more":${JSON.stringify(Object.fromEntries(many(500_000, (at) => [`n${at}`, 1])))}`),
  ours: () => beside(many(50_000, (at) => `"n${at}":{"svc":1}`).join(',')),
  logprobs: () => {
    const token = (at: number) => ({ token: `t${at} `, logprob: -0.25, bytes: [116, 48, 32] });
    const tokens = many(1_000, () => ({ ...token(0), top_logprobs: many(20, token) }));
    const content = tokens.map((one) => one.token).join('');
    return json({ choices: [{ ...choiceOf({ content }), logprobs: { content: tokens } }] });
  },
  'strings-event': () => oneEvent(JSON.stringify(many(700_000, (at) => `te ${at}`))),
  'numbers-event': () => oneEvent(`[${filled('1,', 7_000_000)}1]`),
  'lines-event': () => oneEvent(`[${filled('1,\ndata: ', 7_000_000).replace(/,[^,]*$/, '')}]`),
  addresses: () => {
    const addresses = many(30_000, (at) => `https://host-${at}.example.com/a/${at}?q=${at * 7919}&r=some+words+of+it `);
    return events([
      ...many(3_000, (at) => choice(0, { content: addresses.slice(at * 10, at * 10 + 10).join('') }, null)),
      choice(0, {}, 'stop'),
    ]);
  },
  comments: () => {
    const { type, body } = events([choice(0, { content: 'Hi' }, 'stop')]);
    return { type, body: filled(': keep-alive\n\n', 60_000_000 - (60_000_000 % 14)) + body };
  },
  claude: () => json({ ...MESSAGE, content: [{ type: 'text', text: phones(5_000_000) }], stop_reason: 'end_turn' }),
  'claude-events': () => ({
    type: 'text/event-stream',
    body: [
      { type: 'message_start', message: { ...MESSAGE, id: 'm', model: 'm', content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ...many(50_000, () => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'word ' } })),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ]
      .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join(''),
  }),
  'stored-id': () => json(storedResponse('Hi')),
  stored: () => json(storedResponse(phones(5_000_000))),
  nodes: () => json(storedResponse('Hi')),
  speech: () => ({ type: 'audio/mpeg', body: filled('ID3 speech ', 60_000_000) }),
  models: () =>
    json({ object: 'list', data: many(60_000, (at) => ({ id: `model-${at}`, object: 'model', owned_by: 'o' })) }),
  error: () => ({ type: 'application/json', body: `{"error":[${filled('[],', 60_000_000)}[]]}`, status: 400 }),
  embeddings: () => list((at) => many(3_072, (index) => Number(`0.${100 + ((at * 31 + index * 7919) % 899)}`))),
  vectors: () =>
    list((at) => Buffer.from(many(3_072 * 4, (index) => (at * 31 + index * 7919) % 256)).toString('base64')),
  images: () => json({ data: many(10, (at) => ({ b64_json: picture(4_500_000, at) })) }),
};

const MESSAGE = {
  type: 'message',
  role: 'assistant',
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};

function storedResponse(text: string): object {
  const content = [{ type: 'output_text', text, annotations: [] }];
  const output = [{ type: 'message', id: 'msg_bench', role: 'assistant', status: 'completed', content }];
  return { id: 'resp_bench', object: 'response', status: 'completed', created_at: 1, output };
}

/** Base64 of bytes that begin like a PNG file. */
function picture(bytes: number, at: number): string {
  const content = Buffer.alloc(bytes, `picture ${at}`);
  Buffer.from('89504e470d0a1a0a', 'hex').copy(content);
  return content.toString('base64');
}

/** A chat completion with further members. */
function beside(members: string): Answer {
  const { type, body } = json({ choices: [choiceOf({ content: 'Hi' })] });
  return { type, body: `${body.slice(0, -1)},${members}}` };
}

function choiceOf(message: object): object {
  return { index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' };
}

function oneEvent(more: string): Answer {
  const { type, body } = events([choice(0, { content: 'Hi' }, 'stop')]);
  return { type, body: body.replace('}\n\n', () => `,"more":${more}}\n\n`) };
}

function list(embedding: (at: number) => unknown): Answer {
  const data = many(2_048, (index) => ({ object: 'embedding', index, embedding: embedding(index) }));
  return json({ object: 'list', data, usage: { prompt_tokens: 1, total_tokens: 1 } });
}

function choice(index: number, delta: object, reason: string | null): object {
  return {
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index, delta, finish_reason: reason }],
  };
}

function json(body: object): Answer {
  return { type: 'application/json', body: JSON.stringify({ id: 'c', model: 'm', created: 1, ...body }) };
}

function events(chunks: readonly object[]): Answer {
  const text = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
  return { type: 'text/event-stream', body: `${text}data: [DONE]\n\n` };
}
