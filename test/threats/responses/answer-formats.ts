import type { Answer } from '../../fidelity/upstream.ts';

/** A JSON text, written by hand: with duplicate members, say. */
export type Written = string;

/** A provider's response format in one API. */
export interface ResponseApi {
  readonly path: (lane: number) => string;
  readonly body: (lane: number) => string;
  /** A complete response with a text; `more` are top-level members. */
  readonly whole: (said: Written, more?: Written) => Answer;
  /** A whole stream of events that says it, `more` in each event. */
  readonly stream?: (said: Written, more?: Written) => Answer;
  /** The same request, streamed. */
  readonly streamed?: Pick<ResponseApi, 'path' | 'body'>;
  readonly type?: string;
}

const json = (body: string): Answer => ({ body, type: 'application/json' });
export const sse = (...events: string[]): Answer => ({
  body: events.map((data) => `data: ${data}\n\n`).join(''),
  type: 'text/event-stream',
});
const named = (...events: string[]): Answer => ({
  body: events.map((data) => `event: ${JSON.parse(data).type}\ndata: ${data}\n\n`).join(''),
  type: 'text/event-stream',
});
const members = (more: Written) => (more === '' ? '' : `,${more}`);
const bodyOf = (fields: object) => (model: string) => (lane: number) =>
  JSON.stringify({ model: `${model}-w${lane}`, ...fields });

const CHAT = bodyOf({ messages: [{ role: 'user', content: 'Hi' }] });
const CHAT_STREAM = bodyOf({ messages: [{ role: 'user', content: 'Hi' }], stream: true });
const chunk = (choice: string, more: Written) =>
  `{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,${choice}}]${members(more)}}`;
const completion = (choice: string, more: Written) =>
  `{"id":"c1","object":"text_completion","created":1,"model":"m","choices":[{"index":0,${choice}}]${members(more)}}`;
const MESSAGE = '"id":"msg_1","type":"message","role":"assistant","model":"m"';
const RESPONSE = '"id":"resp_1","object":"response","created_at":1,"model":"m"';
const item = (said: Written) =>
  `{"type":"message","id":"i1","role":"assistant","status":"completed","content":[{"type":"output_text","annotations":[],"text":${said}}]}`;
const candidate = (said: Written, more: Written) =>
  `{"candidates":[{"content":{"role":"model","parts":[{"text":${said}}]},"finishReason":"STOP","index":0}]${members(more)}}`;
const FORM_TYPE = 'multipart/form-data; boundary=b';
const form = (fields: Readonly<Record<string, string>>) => (lane: number) =>
  [
    ...Object.entries({ model: `gpt-w${lane}`, ...fields }).map(
      ([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    ),
    '--b\r\ncontent-disposition: form-data; name="file"; filename="a.mp3"\r\ncontent-type: audio/mpeg\r\n\r\nID3\r\n--b--\r\n',
  ].join('');

export const APIS: Readonly<Record<string, ResponseApi>> = {
  chat: {
    path: () => '/v1/chat/completions',
    body: CHAT('gpt'),
    streamed: { path: () => '/v1/chat/completions', body: CHAT_STREAM('gpt') },
    whole: (said, more = '') =>
      json(
        `{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":${said}},"finish_reason":"stop"}]${members(more)}}`,
      ),
    stream: (said, more = '') =>
      sse(
        chunk(`"delta":{"role":"assistant","content":${said}},"finish_reason":null`, more),
        chunk('"delta":{},"finish_reason":"stop"', ''),
        '[DONE]',
      ),
  },
  completions: {
    path: () => '/v1/completions',
    body: bodyOf({ prompt: 'Hi' })('gpt'),
    streamed: { path: () => '/v1/completions', body: bodyOf({ prompt: 'Hi', stream: true })('gpt') },
    whole: (said, more = '') => json(completion(`"text":${said},"finish_reason":"stop"`, more)),
    stream: (said, more = '') =>
      sse(
        completion(`"text":${said},"finish_reason":null`, more),
        completion('"text":"","finish_reason":"stop"', ''),
        '[DONE]',
      ),
  },
  responses: {
    path: () => '/v1/responses',
    body: bodyOf({ input: 'Hi' })('gpt'),
    streamed: { path: () => '/v1/responses', body: bodyOf({ input: 'Hi', stream: true })('gpt') },
    whole: (said, more = '') => json(`{${RESPONSE},"status":"completed","output":[${item(said)}]${members(more)}}`),
    stream: (said, more = '') =>
      named(
        `{"type":"response.created","sequence_number":0,"response":{${RESPONSE},"status":"in_progress","output":[]${members(more)}}}`,
        `{"type":"response.output_item.done","sequence_number":1,"output_index":0,"item":${item(said)}${members(more)}}`,
        `{"type":"response.completed","sequence_number":2,"response":{${RESPONSE},"status":"completed","output":[${item(said)}]}}`,
      ),
  },
  messages: {
    path: () => '/v1/messages',
    body: bodyOf({ messages: [{ role: 'user', content: 'Hi' }], max_tokens: 50 })('claude'),
    streamed: {
      path: () => '/v1/messages',
      body: bodyOf({ messages: [{ role: 'user', content: 'Hi' }], max_tokens: 50, stream: true })('claude'),
    },
    whole: (said, more = '') =>
      json(
        `{${MESSAGE},"content":[{"type":"text","text":${said}}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}${members(more)}}`,
      ),
    stream: (said, more = '') =>
      named(
        `{"type":"message_start","message":{${MESSAGE},"content":[],"usage":{"input_tokens":1,"output_tokens":1}${members(more)}}}`,
        '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
        `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":${said}}${members(more)}}`,
        '{"type":"content_block_stop","index":0}',
        '{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":1}}',
        '{"type":"message_stop"}',
      ),
  },
  gemini: {
    path: (lane) => `/v1beta/models/gemini-w${lane}:generateContent`,
    body: () => JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }),
    streamed: {
      path: (lane) => `/v1beta/models/gemini-w${lane}:streamGenerateContent?alt=sse`,
      body: () => JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }),
    },
    whole: (said, more = '') => json(candidate(said, more)),
    stream: (said, more = '') => sse(candidate(said, more)),
  },
  transcriptions: {
    path: () => '/v1/audio/transcriptions',
    body: form({}),
    type: FORM_TYPE,
    streamed: { path: () => '/v1/audio/transcriptions', body: form({ stream: 'true' }) },
    whole: (said, more = '') => json(`{"text":${said}${members(more)}}`),
    stream: (said, more = '') =>
      sse(
        `{"type":"transcript.text.delta","delta":${said}${members(more)}}`,
        `{"type":"transcript.text.done","text":${said}}`,
      ),
  },
  'edits of images': {
    path: () => '/v1/images/edits',
    body: bodyOf({ prompt: 'A cat', images: [{ image_url: 'https://a.example/b.png' }] })('gpt'),
    whole: (said, more = '') =>
      json(`{"created":1,"data":[{"b64_json":"AAAA","revised_prompt":${said}}]${members(more)}}`),
  },
  images: {
    path: () => '/v1/images/generations',
    body: bodyOf({ prompt: 'A cat' })('gpt'),
    whole: (said, more = '') =>
      json(`{"created":1,"data":[{"b64_json":"AAAA","revised_prompt":${said}}]${members(more)}}`),
  },
  embeddings: {
    path: () => '/v1/embeddings',
    body: bodyOf({ input: 'Hi' })('gpt'),
    whole: (said, more = '') =>
      json(
        `{"object":"list","model":"m","data":[{"object":"embedding","index":0,"embedding":[0.1],"note":${said}}],"usage":{"prompt_tokens":1,"total_tokens":1}${members(more)}}`,
      ),
  },
  'count of tokens': {
    path: () => '/v1/messages/count_tokens',
    body: bodyOf({ messages: [{ role: 'user', content: 'Hi' }] })('claude'),
    whole: (said, more = '') => json(`{"input_tokens":3,"note":${said}${members(more)}}`),
  },
};

/** Every API, whole and, if supported, streamed: its request and its response. */
export const ANSWERS: readonly (readonly [string, (said: Written, more?: Written) => Answer, ResponseApi])[] =
  Object.entries(APIS).flatMap(([name, api]) => [
    [`${name}, whole`, api.whole, api] as const,
    ...(api.stream && api.streamed ? [[`${name}, streamed`, api.stream, { ...api, ...api.streamed }] as const] : []),
  ]);

/** All JSON documents of a response, whole or streamed. */
export function jsonsIn(text: string): Record<string, unknown>[] {
  const parts = text.startsWith('{') ? [text] : text.split('\n').flatMap((line) => line.split(/^data: /)[1] ?? []);
  return parts.filter((part) => part !== '[DONE]').map((part) => JSON.parse(part));
}
