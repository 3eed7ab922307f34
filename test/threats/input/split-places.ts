export const MODELS = { openai: 'gpt-4o-mini', anthropic: 'claude-sonnet-4-5' };

type Build = (parts: readonly string[]) => object;
export const texts = (parts: readonly string[], type = 'text') => parts.map((text) => ({ type, text }));
export const hi = { role: 'user', content: 'Hi' };
export const chat = (messages: object[]) => ({ model: MODELS.openai, messages });
export const messages = (messages: object[], more: object = {}) => ({
  model: MODELS.anthropic,
  max_tokens: 100,
  messages,
  ...more,
});
const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };
const result = (content: unknown) => ({ type: 'tool_result', tool_use_id: 't1', content });
const used = { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'f', input: {} }] };
const IMAGE = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
export const GEMINI = `/models/${MODELS.openai}:generateContent`;

/** The parts with something else between each two of them. */
const around = <T>(
  parts: readonly string[],
  toPart: (text: string, at: number) => T,
  between: (at: number) => T,
): T[] => parts.flatMap((text, at) => (at === 0 ? [toPart(text, at)] : [between(at), toPart(text, at)]));
export const toText = (text: string) => ({ type: 'text', text });
export const said = (content: string) => ({ role: 'user', content });
const document = (data: string) => ({
  type: 'document',
  source: { type: 'text', media_type: 'text/plain', data },
});
const resultOf = (id: string, content?: unknown) => ({ type: 'tool_result', tool_use_id: id, content });
const usedAll = (parts: readonly string[]) => ({
  role: 'assistant',
  content: parts.map((_, at) => ({ type: 'tool_use', id: `t${at}`, name: 'f', input: {} })),
});
const developer = { role: 'developer', content: 'Be kind.' };

export const input = (input: object) =>
  messages([
    hi,
    { role: 'assistant', content: [{ ...used.content[0], input }] },
    {
      role: 'user',
      content: [result('done')],
    },
  ]);
const args = (args: object) => ({
  contents: [
    { role: 'user', parts: [{ text: 'Hi' }] },
    { role: 'model', parts: [{ functionCall: { name: 'f', args } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'f', response: { done: true } } }] },
  ],
});

export const PLACES: readonly (readonly [name: string, path: string, build: Build])[] = [
  ['chat parts', '/chat/completions', (parts) => chat([{ role: 'user', content: texts(parts) }])],
  [
    'chat parts around an image',
    '/chat/completions',
    ([first = '', ...rest]) => chat([{ role: 'user', content: [...texts([first]), IMAGE, ...texts(rest)] }]),
  ],
  [
    'chat parts with unknown members',
    '/chat/completions',
    (parts) => chat([{ role: 'user', content: texts(parts).map((part) => ({ ...part, note: 'an unknown member' })) }]),
  ],
  ['chat messages', '/chat/completions', (parts) => chat(parts.map((content) => ({ role: 'user', content })))],
  [
    'chat assistant parts',
    '/chat/completions',
    (parts) => chat([hi, { role: 'assistant', content: texts(parts) }, hi]),
  ],
  [
    'chat tool parts',
    '/chat/completions',
    (parts) =>
      chat([
        hi,
        { role: 'assistant', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: texts(parts) },
      ]),
  ],
  ['Messages blocks', '/messages', (parts) => messages([{ role: 'user', content: texts(parts) }])],
  [
    'Messages to count',
    '/messages/count_tokens',
    (parts) => {
      const { max_tokens: _, ...body } = messages([{ role: 'user', content: texts(parts) }]);
      return body;
    },
  ],
  ['Messages in a row', '/messages', (parts) => messages(parts.map((content) => ({ role: 'user', content })))],
  [
    'Messages tool_result',
    '/messages',
    (parts) => messages([hi, used, { role: 'user', content: [result(texts(parts))] }]),
  ],
  [
    'Messages tool_results in a row',
    '/messages',
    (parts) => messages([hi, used, { role: 'user', content: parts.map((text) => result(text)) }]),
  ],
  [
    'Responses parts',
    '/responses',
    (parts) => ({ model: MODELS.openai, input: [{ role: 'user', content: texts(parts, 'input_text') }] }),
  ],
  [
    'Responses items',
    '/responses',
    (parts) => ({ model: MODELS.openai, input: parts.map((content) => ({ role: 'user', content })) }),
  ],
  [
    'Responses tool output',
    '/responses',
    (parts) => ({
      model: MODELS.openai,
      input: [
        { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: texts(parts, 'input_text') },
      ],
    }),
  ],
  [
    'Gemini contents in a row',
    GEMINI,
    (parts) => ({ contents: parts.map((text) => ({ role: 'user', parts: [{ text }] })) }),
  ],
  [
    'chat messages around one of the system',
    '/chat/completions',
    (parts) => chat(around<object>(parts, said, () => ({ role: 'system', content: 'Be kind.' }))),
  ],
  [
    'chat results of tools around a message of the developer',
    '/chat/completions',
    (parts) =>
      chat([
        hi,
        { role: 'assistant', tool_calls: parts.map((_, at) => ({ ...call, id: `c${at}` })) },
        ...around<object>(
          parts,
          (content, at) => ({ role: 'tool', tool_call_id: `c${at}`, content }),
          () => developer,
        ),
      ]),
  ],
  [
    'chat messages of the assistant around one of the system',
    '/chat/completions',
    (parts) =>
      chat([
        hi,
        ...around<object>(
          parts,
          (content) => ({ role: 'assistant', content }),
          () => ({ role: 'system', content: 'Be kind.' }),
        ),
        hi,
      ]),
  ],
  [
    'Responses items around one of the developer',
    '/responses',
    (parts) => ({ model: MODELS.openai, input: around<object>(parts, said, () => developer) }),
  ],
  [
    'Responses items around the result of a tool',
    '/responses',
    (parts) => ({
      model: MODELS.openai,
      input: [
        ...parts.map((_, at) => ({ type: 'function_call', call_id: `c${at}`, name: 'f', arguments: '{}' })),
        ...around<object>(parts, said, (at) => ({ type: 'function_call_output', call_id: `c${at}`, output: 'done' })),
      ],
    }),
  ],
  [
    'Messages texts around results of tools',
    '/messages',
    (parts) =>
      messages([
        hi,
        usedAll(parts),
        { role: 'user', content: around<object>(parts, toText, (at) => resultOf(`t${at}`, 'done')) },
      ]),
  ],
  [
    'Messages results of tools around texts',
    '/messages',
    (parts) =>
      messages([
        hi,
        usedAll(parts),
        {
          role: 'user',
          content: around<object>(
            parts,
            (text, at) => resultOf(`t${at}`, text),
            () => toText('So?'),
          ),
        },
      ]),
  ],
  [
    'Messages texts and documents in turn',
    '/messages',
    (parts) =>
      messages([
        { role: 'user', content: parts.map((text, at): object => (at % 2 === 0 ? toText(text) : document(text))) },
      ]),
  ],
  [
    'Gemini texts around the result of a function',
    GEMINI,
    (parts) => ({
      contents: [
        { role: 'user', parts: [{ text: 'Hi' }] },
        { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] },
        {
          role: 'user',
          parts: around<object>(
            parts,
            (text) => ({ text }),
            () => ({ functionResponse: { name: 'f', response: { done: 'yes' } } }),
          ),
        },
      ],
    }),
  ],
  ['Gemini parts', GEMINI, (parts) => ({ contents: [{ role: 'user', parts: parts.map((text) => ({ text })) }] })],
];
/** Strings beside each other that are no parts of a message. */
export const SIBLINGS: typeof PLACES = [
  ['a list in the input of a tool', '/messages', (parts) => input({ q: parts })],
  ['members of the input of a tool', '/messages', (parts) => input({ ...parts })],
  ['a list in the arguments of a function', GEMINI, (parts) => args({ q: parts })],
  ['members of the arguments of a function', GEMINI, (parts) => args({ ...parts })],
  ['prompts', '/completions', (prompt) => ({ model: 'gpt-3.5-turbo-instruct', prompt })],
  [
    'a prompt and its suffix',
    '/completions',
    ([prompt, suffix]) => ({ model: 'gpt-3.5-turbo-instruct', prompt, suffix }),
  ],
  ['inputs to embed', '/embeddings', (input) => ({ model: 'text-embedding-3-small', input })],
  ['a list of an unknown member', '/chat/completions', (parts) => ({ ...chat([hi]), documents: parts })],
];
