import { describe, expect, it } from '@jest/globals';
import { spliceJson } from '../../../kernel/json/index.ts';
import { readHostedTools, withoutTools } from './hosted-tools.ts';

const FUNCTION = { type: 'function', name: 'send', parameters: {} };
const CHAT_FUNCTION = { type: 'function', function: { name: 'send' } };
const SEARCH = { type: 'web_search_2025_08_26' };
const hostedIn = (body: object) => readHostedTools(body).map(({ name, field }) => [name, field]);
/** The body without all its hosted tools, or those of some names. */
const left = (body: object, ...names: string[]) => {
  const removed = readHostedTools(body).filter(({ name }) => names.length === 0 || names.includes(name));
  return JSON.parse(spliceJson(JSON.stringify(body), withoutTools(body, removed))) as object;
};

describe('a tool that the provider executes is read with its type and place', () => {
  it.each([
    ['of responses', { tools: [FUNCTION, SEARCH] }, [['web_search_2025_08_26', 'tools[1]']]],
    ['of a remote server', { tools: [{ type: 'mcp', server_label: 'docs' }] }, [['mcp', 'tools[0]']]],
    [
      'with a container',
      { tools: [{ type: 'shell', environment: { type: 'container_auto' } }] },
      [['shell', 'tools[0]']],
    ],
    [
      'that a search has added',
      { input: [{ type: 'tool_search_output', tools: [FUNCTION, { type: 'mcp' }] }] },
      [['mcp', 'input[0].tools[1]']],
    ],
    [
      'of chat completions',
      { web_search_options: {}, tools: [CHAT_FUNCTION] },
      [['web_search_options', 'web_search_options']],
    ],
    [
      'of another chat API',
      { tools: [{ type: 'builtin_function', function: { name: '$web_search' } }] },
      [['builtin_function', 'tools[0]']],
    ],
    [
      'of messages',
      {
        tools: [
          { type: 'web_search_20250305', name: 'web_search' },
          { type: 'mcp_toolset', mcp_server_name: 'docs' },
        ],
        mcp_servers: [{ type: 'url', name: 'docs' }],
      },
      [
        ['web_search_20250305', 'tools[0]'],
        ['mcp_toolset', 'tools[1]'],
        ['mcp_toolset', 'mcp_servers[0]'],
      ],
    ],
    [
      'of Gemini',
      { tools: [{ functionDeclarations: [{ name: 'send' }], google_search: {} }, { codeExecution: {} }] },
      [
        ['googleSearch', 'tools[0].google_search'],
        ['codeExecution', 'tools[1].codeExecution'],
      ],
    ],
  ])('%s', (_, body, found) => expect(hostedIn(body)).toEqual(found));
});

it('tools whose calls the client executes are none', () => {
  const types =
    'function custom namespace local_shell apply_patch computer_use_preview computer bash_20250124 text_editor_20250728 computer_20250124 memory_20250818';
  const tools = [
    ...types.split(' ').map((type) => ({ type, name: 'x' })),
    { name: 'send', input_schema: {} },
    { type: 'shell', environment: { type: 'local' } },
    { type: 'shell' },
    { functionDeclarations: [], computerUse: { environment: 'ENVIRONMENT_BROWSER' }, googleSearch: null },
    CHAT_FUNCTION,
    null,
  ];
  expect(hostedIn({ tools, functions: [{ name: 'send' }], plugins: [], enable_search: false })).toEqual([]);
});

describe('a body without its hosted tools', () => {
  it('keeps the others, and what else it has', () => {
    const body = { model: 'm', tools: [SEARCH, FUNCTION, { type: 'mcp' }, FUNCTION], tool_choice: 'required' };
    expect(left(body)).toEqual({ model: 'm', tools: [FUNCTION, FUNCTION], tool_choice: 'required' });
    expect(left(body, 'mcp')).toEqual({ model: 'm', tools: [SEARCH, FUNCTION, FUNCTION], tool_choice: 'required' });
  });

  it('has neither tools nor a choice of them if none is left', () => {
    const body = { model: 'm', tools: [SEARCH], tool_choice: 'required', parallel_tool_calls: true };
    expect(left(body)).toEqual({ model: 'm' });
    const servers = { tools: [{ type: 'mcp_toolset' }], mcp_servers: [{ type: 'url' }], tool_choice: { type: 'any' } };
    expect(left({ model: 'm', ...servers })).toEqual({ model: 'm' });
    expect(left({ model: 'm', web_search_options: {}, tools: [CHAT_FUNCTION] })).toEqual({
      model: 'm',
      tools: [CHAT_FUNCTION],
    });
  });

  it('keeps the functions of a tool of Gemini', () => {
    const functionDeclarations = [{ name: 'send' }];
    expect(
      left({
        tools: [
          { googleSearch: {}, url_context: null },
          { functionDeclarations, googleSearch: {} },
        ],
      }),
    ).toEqual({
      tools: [{ functionDeclarations }],
    });
    expect(left({ tools: [{ googleSearch: {}, codeExecution: {} }] }, 'googleSearch')).toEqual({
      tools: [{ codeExecution: {} }],
    });
  });
});

describe('a choice of tools', () => {
  const search = { type: 'web_search_20250305', name: 'web_search' };
  const single = { disable_parallel_tool_use: true };
  it.each([
    ['of a removed tool by its type', SEARCH, { type: 'web_search' }, 'auto'],
    ['of a remote server', { type: 'mcp' }, { type: 'mcp', server_label: 'docs' }, 'auto'],
    [
      'of a removed tool by its name',
      search,
      { type: 'tool', name: 'web_search', ...single },
      { type: 'auto', ...single },
    ],
    ['of a function', SEARCH, { type: 'function', name: 'send' }, { type: 'function', name: 'send' }],
    ['of a tool by its name', search, { type: 'tool', name: 'send' }, { type: 'tool', name: 'send' }],
    ['of any tool', search, { type: 'any' }, { type: 'any' }],
    [
      'of allowed tools',
      SEARCH,
      { type: 'allowed_tools', mode: 'required', tools: [{ type: 'web_search' }, { type: 'function', name: 'send' }] },
      { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'send' }] },
    ],
    [
      'that allows removed tools only',
      SEARCH,
      { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'web_search' }] },
      'none',
    ],
    [
      'of allowed tools in a chat completion',
      { type: 'web_search' },
      { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [{ type: 'web_search' }, CHAT_FUNCTION] } },
      { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [CHAT_FUNCTION] } },
    ],
  ])('%s', (_, tool, tool_choice, expected) => {
    const own = { name: 'send', type: 'function' };
    expect(left({ tools: [tool, own], tool_choice })).toEqual({ tools: [own], tool_choice: expected });
  });

  it('stays where another tool of its type is left', () => {
    const tools = [{ type: 'mcp' }, { type: 'web_search_preview_2025_03_11' }];
    const tool_choice = { type: 'web_search_preview' };
    expect(left({ tools, tool_choice }, 'mcp')).toEqual({ tools: [tools[1]], tool_choice });
  });
});

it.each([null, 'text', [], {}, { tools: null }, { tools: [[], 1] }, { mcp_servers: 'x' }])(
  'reads nothing from %j',
  (body) => {
    expect(readHostedTools(body)).toEqual([]);
    expect(withoutTools(body, [])).toEqual([]);
  },
);
