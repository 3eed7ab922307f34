import { describe, expect, it } from '@jest/globals';
import { readDeclaredTools } from './declared-tools.ts';

const SCHEMA = { type: 'object', properties: { to: { type: 'string', description: 'Who gets it.' } } };
const DEFINITION = { description: 'Sends.', parameters: SCHEMA };
const read = (body: object) => {
  const { tools, undefinedAt } = readDeclaredTools(body);
  return { tools, undefinedAt };
};
const placesOf = (body: object) => read(body).tools.map(({ name, field }) => [name, field]);

describe('the same definition is read', () => {
  const google = { type: 'OBJECT', properties: { to: { type: 'STRING', description: 'Who gets it.' } } };
  it.each([
    [
      'of chat completions',
      'tools[0].function',
      { tools: [{ type: 'function', function: { name: 'send', strict: true, ...DEFINITION } }] },
    ],
    ['of their deprecated functions', 'functions[0]', { functions: [{ name: 'send', ...DEFINITION }] }],
    ['of responses', 'tools[0]', { tools: [{ type: 'function', name: 'send', strict: null, ...DEFINITION }] }],
    [
      'of messages',
      'tools[0]',
      { tools: [{ name: 'send', description: 'Sends.', input_schema: SCHEMA, cache_control: { type: 'ephemeral' } }] },
    ],
    [
      'of Gemini',
      'tools[0].functionDeclarations[0]',
      { tools: [{ functionDeclarations: [{ name: 'send', description: 'Sends.', parameters: google }] }] },
    ],
    [
      'of Gemini in snake case',
      'tools[0].function_declarations[0]',
      { tools: [{ function_declarations: [{ name: 'send', description: 'Sends.', parameters_json_schema: SCHEMA }] }] },
    ],
  ])('%s', (_, field, body) =>
    expect(read(body)).toEqual({ tools: [{ name: 'send', field, definition: DEFINITION }], undefinedAt: [] }),
  );
});

it('reads custom tools, namespaces with their description, and tools that a search or a server has added', () => {
  const custom = { type: 'custom', custom: { name: 'patch', description: 'Edits.', format: { type: 'text' } } };
  expect(read({ tools: [custom] }).tools).toMatchObject([
    { field: 'tools[0].custom', definition: { description: 'Edits.', format: { type: 'text' } } },
  ]);
  const namespace = {
    type: 'namespace',
    name: 'crm',
    description: 'Customers.',
    tools: [
      { type: 'function', name: 'find' },
      { type: 'custom', name: 'note' },
    ],
  };
  expect(placesOf({ tools: [namespace] })).toEqual([
    ['crm/', 'tools[0]'],
    ['crm/find', 'tools[0].tools[0]'],
    ['crm/note', 'tools[0].tools[1]'],
  ]);
  const input = [
    { role: 'user', content: 'x', tools: [{ name: 'none' }] },
    { type: 'tool_search_output', tools: [{ type: 'function', name: 'find' }] },
    { type: 'mcp_list_tools', server_label: 'docs', tools: [{ name: 'search', input_schema: SCHEMA }] },
  ];
  expect(placesOf({ input })).toEqual([
    ['find', 'input[1].tools[0]'],
    ['docs/search', 'input[2].tools[0]'],
  ]);
});

it('reads every other member that a model may read', () => {
  const tool = { name: 'send', input_schema: SCHEMA, input_examples: [{ to: 'a@b.example' }], defer_loading: true };
  expect(read({ tools: [tool] }).tools[0]?.definition).toEqual({
    parameters: SCHEMA,
    input_examples: [{ to: 'a@b.example' }],
  });
  const both = { name: 'send', parameters: SCHEMA, parametersJsonSchema: { type: 'object' } };
  expect(read({ tools: [{ functionDeclarations: [both] }] }).tools[0]?.definition).toEqual({
    parameters: SCHEMA,
    parametersJsonSchema: { type: 'object' },
  });
});

it('lists tools whose definition the provider adds', () => {
  const tools = [
    { type: 'web_search_20250305', name: 'web_search', max_uses: 2 },
    { type: 'mcp', server_label: 'docs', server_url: 'https://mcp.example' },
    { googleSearch: {} },
    { name: 'mine', input_schema: SCHEMA },
  ];
  const body = { tools, mcp_servers: [{ type: 'url', url: 'https://mcp.example', name: 'x' }] };
  expect(read(body).undefinedAt).toEqual(['tools[0]', 'tools[1]', 'tools[2]', 'mcp_servers[0]']);
  expect(placesOf(body)).toEqual([['mine', 'tools[3]']]);
});

it.each([
  null,
  'text',
  [],
  {},
  { tools: null },
  { tools: 'x' },
  { tools: [null, 1, []] },
  { input: [null] },
  { functions: [{}] },
])('reads nothing from %j', (body) => expect(readDeclaredTools(body).tools).toEqual([]));
