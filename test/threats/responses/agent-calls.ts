import type { Answer } from '../../fidelity/upstream.ts';
import { APIS, type ResponseApi, sse } from './answer-formats.ts';

/** A place of a response in which a model calls a tool with one value. */
export type CallPlace = readonly [name: string, api: ResponseApi, answerOf: (value: string) => Answer];

/** The names of places whose calls the provider has executed. */
export const HOSTED = /server_|mcp_(?:call|tool_use)|web_search|file_search|code_interpreter|executableCode/;

const { chat, responses, messages, gemini } = APIS as Readonly<Record<string, ResponseApi>> &
  Record<'chat' | 'responses' | 'messages' | 'gemini', ResponseApi>;
const streamOf = (api: ResponseApi) => ({ ...api, ...api.streamed }) as ResponseApi;
const whole = (body: object): Answer => ({ body: JSON.stringify(body), type: 'application/json' });
const events = (list: readonly object[], ...end: string[]) =>
  sse(...list.map((event) => JSON.stringify(event)), ...end);
const args = (to: string) => JSON.stringify({ subject: 'Hi', to });
/** Pieces of seven characters. */
const pieces = (text: string) => text.match(/.{1,7}/gs) ?? [];

const completion = (message: object) => ({
  id: 'c1',
  choices: [{ index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason: 'tool_calls' }],
});
const chunks = (deltas: readonly object[]) =>
  events(
    [
      ...deltas.map((delta) => ({ id: 'c1', choices: [{ index: 0, delta, finish_reason: null }] })),
      { id: 'c1', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
    ],
    '[DONE]',
  );
const toolCall = (call: object) => ({ tool_calls: [{ index: 0, id: 'call_1', ...call }] });

const message = (block: object) => ({
  ...{ id: 'm', type: 'message', role: 'assistant', model: 'm', stop_reason: 'tool_use', usage: {} },
  content: [block],
});
const blockEvents = (block: object, deltas: readonly object[]) =>
  events([
    { type: 'message_start', message: { ...message({}), content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ]);

const response = (...output: object[]) => ({ id: 'resp_1', object: 'response', status: 'completed', output });
const itemEvents = (item: object, deltas: readonly object[] = []) =>
  events([
    { type: 'response.created', response: { ...response(), status: 'in_progress' } },
    ...deltas.map((delta) => ({ output_index: 0, item_id: 'i', ...delta })),
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: response(item) },
  ]);
const candidate = (part: object) => ({
  candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
});

/** Items of the Responses API that a client or a provider executes. */
const ITEMS: Readonly<Record<string, (value: string) => object>> = {
  function_call: (value) => ({ call_id: 'c', name: 'send', arguments: args(value) }),
  custom_tool_call: (value) => ({ call_id: 'c', name: 'send', input: `to ${value}` }),
  mcp_call: (value) => ({ server_label: 's', name: 'send', arguments: args(value) }),
  mcp_approval_request: (value) => ({ server_label: 's', name: 'send', arguments: args(value) }),
  computer_call: (value) => ({ call_id: 'c', action: { type: 'type', text: value } }),
  local_shell_call: (value) => ({ call_id: 'c', action: { type: 'exec', command: ['mail', value] } }),
  shell_call: (value) => ({ call_id: 'c', action: { commands: [`mail ${value}`] } }),
  apply_patch_call: (value) => ({ call_id: 'c', operation: { type: 'create_file', path: 'a', diff: `+ ${value}` } }),
  web_search_call: (value) => ({ action: { type: 'search', query: `about ${value}` } }),
  file_search_call: (value) => ({ queries: [`about ${value}`], results: null }),
  code_interpreter_call: (value) => ({ container_id: 'cntr_1', code: `send("${value}")`, outputs: null }),
};
const item = (type: string, value: string) => ({ id: 'i', type, status: 'completed', ...ITEMS[type]?.(value) });

/** Every place of a call, whole and streamed. */
export const CALL_PLACES: readonly CallPlace[] = [
  [
    'a function call',
    chat,
    (value) => whole(completion(toolCall({ function: { name: 'f', arguments: args(value) } }))),
  ],
  ['a custom tool', chat, (value) => whole(completion(toolCall({ custom: { name: 'f', input: `to ${value}` } })))],
  [
    'the older function call',
    chat,
    (value) => whole(completion({ function_call: { name: 'f', arguments: args(value) } })),
  ],
  [
    'arguments that are an object',
    chat,
    (value) => whole(completion(toolCall({ function: { name: 'f', arguments: { to: value } } }))),
  ],
  [
    'chunks of a function call',
    streamOf(chat),
    (value) => chunks(pieces(args(value)).map((text) => toolCall({ function: { arguments: text } }))),
  ],
  [
    'chunks of a custom tool',
    streamOf(chat),
    (value) => chunks(pieces(`to ${value}`).map((input) => toolCall({ custom: { input } }))),
  ],
  ...['tool_use', 'server_tool_use', 'mcp_tool_use'].flatMap((type): CallPlace[] => [
    [type, messages, (value) => whole(message({ type, id: 't', name: 'f', input: { to: [value] } }))],
    [
      `deltas of ${type}`,
      streamOf(messages),
      (value) =>
        blockEvents(
          { type, id: 't', name: 'f', input: {} },
          pieces(args(value)).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
        ),
    ],
    [
      `the start of ${type}`,
      streamOf(messages),
      (value) => blockEvents({ type, id: 't', name: 'f', input: { subject: 'Hi', to: value } }, []),
    ],
  ]),
  ...Object.keys(ITEMS).flatMap((type): CallPlace[] => [
    [type, responses, (value) => whole(response(item(type, value)))],
    [`the event of ${type}`, streamOf(responses), (value) => itemEvents(item(type, value))],
  ]),
  ...(
    [
      ['function_call', 'function_call_arguments', args],
      ['mcp_call', 'mcp_call_arguments', args],
      ['custom_tool_call', 'custom_tool_call_input', (value) => `to ${value}`],
      ['code_interpreter_call', 'code_interpreter_call_code', (value) => `send("${value}")`],
    ] as const satisfies readonly (readonly [string, string, (value: string) => string])[]
  ).map(
    ([type, name, textOf]): CallPlace => [
      `deltas of ${type}`,
      streamOf(responses),
      (value) =>
        itemEvents(
          item(type, value),
          pieces(textOf(value)).map((delta) => ({ type: `response.${name}.delta`, delta })),
        ),
    ],
  ),
  ['functionCall', gemini, (value) => whole(candidate({ functionCall: { name: 'f', args: { to: value } } }))],
  [
    'executableCode',
    gemini,
    (value) => whole(candidate({ executableCode: { language: 'PYTHON', code: `send("${value}")` } })),
  ],
  [
    'a chunk with functionCall',
    streamOf(gemini),
    (value) => events([candidate({ functionCall: { name: 'f', args: { subject: 'Hi', to: value } } })]),
  ],
];

/** Calls of mail and office agents: tool and arguments. */
export const AGENT_CALLS: readonly (readonly [string, object])[] = [
  ['search_emails', { sender: 'maria.keller@firma-nord.de', after: '2026-03-01' }],
  [
    'send_email',
    { to: ['jens@contoso-labs.eu'], cc: ['a.okafor@brightmail.ng'], subject: 'Q3', body: 'Hi Jens,\nok.' },
  ],
  ['reply', { thread: 'th_18c9', body: 'Please call me at +49 30 901820 or write to me at tom@lindqvist.se.' }],
  ['create_event', { title: 'Review', attendees: [{ email: 'li.wei@zhongke.cn' }, { email: 'ana@porto-tech.pt' }] }],
  ['add_contact', { name: 'Nadia Rahman', phone: '+44 20 7946 0018', email: 'nadia.rahman@orchard.co.uk' }],
  ['lookup_customer', { query: 'j.dubois@exemple-sante.fr OR +33 1 70 18 99 00' }],
  ['update_crm', { id: 4711, fields: { email: 'kim.lee@seoulsoft.kr', iban: 'DE02120300000000202051' } }],
  ['pay_invoice', { iban: 'FR1420041010050500013M02606', amount: 120.5, reference: 'RE-2026-017' }],
  ['charge_card', { card: '4000 0566 5566 5556', amount: 20 }],
  ['refund', { card: 4000056655665556, amount: 20 }],
  ['book_flight', { passenger: 'Ivo Petrov', email: 'ivo@petrov-bau.bg', passport: 'C01X00T47' }],
  ['whitelist_ip', { address: '81.2.69.142', note: 'office of anna@acme-widgets.com' }],
  ['share_file', { file: 'f_9', with: 'finance@acme-widgets.com', role: 'reader' }],
  ['run_sql', { sql: "select * from users where email = 'o.brien@galway-fisheries.ie'" }],
  ['python', { code: 'smtp.sendmail("me@acme-widgets.com", ["you@acme-widgets.com"], "Hi")' }],
  ['browser_type', { selector: '#email', text: 'mia.schulz@tischlerei-schulz.de' }],
  ['write_file', { path: 'CODEOWNERS', content: '* @acme\n/docs lena@acme-widgets.com\n' }],
  ['git_commit', { message: 'Fix', author: 'Lena Vogt <lena@acme-widgets.com>' }],
  ['send_sms', { to: '+1 415 555 2671', text: 'Your code is on the way' }],
  ['create_ticket', { requester: 'paulo@mar-azul.com.br', description: 'SSN on file: 536-90-4399' }],
];
