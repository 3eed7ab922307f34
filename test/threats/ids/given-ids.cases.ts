import { describe, expect, test } from '@jest/globals';
import type { Service } from '../../contract/service.ts';
import { eventually } from '../../support/eventually.ts';
import { byDayOrNight } from '../../support/night.ts';
import {
  answersWith,
  blocks,
  CHAT,
  call,
  citing,
  closed,
  contents,
  file,
  filesApi,
  forgetSent,
  fresh,
  GEMINI,
  hi,
  inputOf,
  type Json,
  keyOf,
  MESSAGES,
  messages,
  open,
  RESPONSES,
  responses,
  said,
  sent,
  someKey,
  streams,
  wholeAnswer,
} from './provider-ids.ts';

interface Given {
  readonly path: string;
  readonly body?: Json;
  readonly prefix: string;
  readonly whole: (id: string) => Json;
  readonly streamed: (id: string) => readonly Json[];
  readonly end?: string;
  readonly names: (id: string) => Json;
}

const message = (more: Json): Json => wholeAnswer(MESSAGES, more);
const messageStream = (start: Json, block: Json | undefined, delta: Json): Json[] => [
  { type: 'message_start', message: { ...message({ stop_reason: null }), ...start } },
  ...(block === undefined
    ? []
    : [
        { type: 'content_block_start', index: 0, content_block: block },
        { type: 'content_block_stop', index: 0 },
      ]),
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null, ...delta },
    usage: { output_tokens: 1 },
  },
  { type: 'message_stop' },
];
const responseStream = (id: string, items: readonly Json[]): Json[] => {
  const response = { ...wholeAnswer(RESPONSES, {}), id };
  const done = items.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item }));
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress' } },
    ...done,
    { type: 'response.completed', response: { ...response, output: items } },
  ].map((event, sequence_number) => ({ ...event, sequence_number }));
};
const ofItem = (item: (id: string) => Json) => ({
  path: RESPONSES,
  whole: (id: string) => wholeAnswer(RESPONSES, { output: [item(id)] }),
  streamed: (id: string) => responseStream(fresh('resp_'), [item(id)]),
});
const ranIn = (id: string): Json => ({
  type: 'code_interpreter_call',
  id: fresh('ci_'),
  container_id: id,
  code: '',
  outputs: [],
});
const codeResult = (id: string): Json => ({
  type: 'bash_code_execution_tool_result',
  tool_use_id: 'srvtoolu_1',
  content: {
    type: 'bash_code_execution_result',
    stdout: '',
    stderr: '',
    return_code: 0,
    content: [{ type: 'bash_code_execution_output', file_id: id }],
  },
});
const chunk = (delta: Json, finish_reason: string | null = null): Json => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
});

/** Every id that a response contains, and a request that names it. */
const GIVEN: Readonly<Record<string, Given>> = {
  'a response': {
    path: RESPONSES,
    prefix: 'resp_',
    whole: (id) => ({ ...wholeAnswer(RESPONSES, {}), id }),
    streamed: (id) => responseStream(id, []),
    names: (id) => responses({ previous_response_id: id }),
  },
  'reasoning that nobody keeps': {
    ...ofItem((id) => ({ type: 'reasoning', id, summary: [], encrypted_content: 'gAAAA' })),
    body: responses({ store: false, include: ['reasoning.encrypted_content'] }),
    prefix: 'rs_',
    names: (id) => inputOf({ type: 'reasoning', id, summary: [], encrypted_content: 'gAAAA' }),
  },
  'a message': {
    ...ofItem((id) => ({ ...citing({}), id })),
    prefix: 'msg_',
    names: (id) => inputOf({ type: 'item_reference', id }),
  },
  'an approval': {
    ...ofItem((id) => ({ type: 'mcp_approval_request', id, server_label: 's', name: 'n', arguments: '{}' })),
    prefix: 'mcpr_',
    names: (id) => inputOf({ type: 'mcp_approval_response', approval_request_id: id, approve: true }),
  },
  'a container of code': {
    ...ofItem(ranIn),
    prefix: 'cntr_',
    names: (id) => responses({ tools: [{ type: 'code_interpreter', container: id }] }),
  },
  'a file of a container': {
    ...ofItem((id) => citing({ type: 'container_file_citation', container_id: fresh('cntr_'), file_id: id })),
    prefix: 'cfile_',
    names: (id) => inputOf({ role: 'user', content: [{ type: 'input_file', file_id: id }] }),
  },
  'a file that code wrote': {
    ...ofItem((id) => citing({ type: 'file_path', index: 0, file_id: id })),
    prefix: 'file-',
    names: (id) => inputOf({ role: 'user', content: [{ type: 'input_file', file_id: id }] }),
  },
  audio: {
    path: CHAT,
    prefix: 'audio_',
    whole: (id) => wholeAnswer(CHAT, { audio: { id, data: 'AAAA', transcript: 'Yes', expires_at: 1 } }),
    streamed: (id) => [
      chunk({ role: 'assistant', audio: { id } }),
      chunk({ audio: { transcript: 'Yes' } }),
      chunk({}, 'stop'),
    ],
    end: 'data: [DONE]\n\n',
    names: (id) => ({
      model: 'gpt-4o',
      messages: [
        { role: 'assistant', audio: { id } },
        { role: 'user', content: 'Go on' },
      ],
    }),
  },
  'a container of Claude': {
    path: MESSAGES,
    prefix: 'container_',
    whole: (id) => message({ container: { id, expires_at: '2026-01-01T00:00:00Z' } }),
    streamed: (id) => messageStream({}, undefined, { container: { id, expires_at: '2026-01-01T00:00:00Z' } }),
    names: (id) => messages({ container: id }),
  },
  'a container at the start of a stream': {
    path: MESSAGES,
    prefix: 'container_',
    whole: (id) => message({ container: { id, expires_at: '2026-01-01T00:00:00Z' } }),
    streamed: (id) => messageStream({ container: { id, expires_at: '2026-01-01T00:00:00Z' } }, undefined, {}),
    names: (id) => messages({ container: { id } }),
  },
  'a file that Claude’s code wrote': {
    path: MESSAGES,
    prefix: 'file_',
    whole: (id) => message({ content: [codeResult(id)] }),
    streamed: (id) => messageStream({}, codeResult(id), {}),
    names: (id) => blocks({ type: 'container_upload', file_id: id }),
  },
  'a diagnosed message': {
    path: MESSAGES,
    body: messages({ diagnostics: { previous_message_id: null } }),
    prefix: 'msg_',
    whole: (id) => message({ id }),
    streamed: (id) => messageStream({ id }, undefined, {}),
    names: (id) => messages({ diagnostics: { previous_message_id: id } }),
  },
  'a file of Gemini': {
    path: GEMINI,
    prefix: 'files/',
    whole: (id) =>
      wholeAnswer(GEMINI, { content: { role: 'model', parts: [{ fileData: { fileUri: filesApi(id) } }] } }),
    streamed: (id) => [
      wholeAnswer(GEMINI, { content: { role: 'model', parts: [{ fileData: { fileUri: filesApi(id) } }] } }),
    ],
    names: (id) => contents({ file_data: { file_uri: id } }),
  },
};

const CASES = Object.entries(GIVEN).flatMap(([name, given]) => [
  [name, 'a whole answer', given] as const,
  [name, 'a stream', given] as const,
]);

/** By day a whole response and a stream in turn. */
const TESTED = byDayOrNight(
  CASES.filter((_, at) => at % 4 === 0 || at % 4 === 3),
  CASES,
);

describe.each(TESTED)('the id of %s in %s', (_, how, { path, body, prefix, whole, streamed, end, names }) => {
  /** Has the provider hand out a fresh id to a key. */
  async function handOut(service: Service, key: string): Promise<string> {
    const id = fresh(prefix);
    const asked =
      body ??
      (path === GEMINI
        ? hi
        : path === MESSAGES
          ? messages({})
          : path === CHAT
            ? said({ type: 'text', text: 'Hi' })
            : responses({}));
    if (how === 'a stream') streams(streamed(id), end);
    else answersWith(whole(id));
    const isGemini = path === GEMINI && how === 'a stream';
    const at = isGemini ? GEMINI.replace(':generateContent', ':streamGenerateContent?alt=sse') : path;
    const { status, text: told } = await call(service, key, at, {
      ...asked,
      ...(how === 'a stream' && path !== GEMINI && { stream: true }),
    });
    expect([status, told.includes(id)]).toEqual([200, true]);
    answersWith(wholeAnswer(path, {}));
    forgetSent();
    return id;
  }

  test('is valid for the key that received it, and 404 for another', async () => {
    const [one, other] = [await keyOf(closed), await keyOf(closed)];
    const id = await handOut(closed, one);
    const refused = await call(closed, other, path, names(id));
    expect([refused.status, sent]).toEqual([404, []]);
    expect((await call(closed, one, path, names(id))).status).toBe(200);
  });

  test('is 404 for another key even if its prefix is listed', async () => {
    const [one, other] = [await keyOf(open), await keyOf(open)];
    const id = await handOut(open, one);
    // It is bound after the response; until then it is as one that was made outside.
    await eventually(async () => {
      forgetSent();
      return (await call(open, other, path, names(id))).status === 404;
    });
    expect(sent).toEqual([]);
    expect((await call(open, one, path, names(id))).status).toBe(200);
  });
});

test('a provider of another API gets no ids that it cannot know', async () => {
  answersWith(wholeAnswer(CHAT, {}));
  const { status, param } = await call(closed, await someKey(closed), MESSAGES, {
    ...blocks({ type: 'document', source: file('file_other') }),
    model: 'gpt-4o',
  });
  expect([status, param, sent]).toEqual([400, 'messages[0].content[0]', []]);
});
