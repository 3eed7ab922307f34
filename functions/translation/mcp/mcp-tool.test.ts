import { describe, expect, it } from '@jest/globals';
import { HeaderList } from '../../kernel/http/index.ts';
import { checkParamHeaders, isServed, type McpTool, readMcpTool, stateOf } from './mcp-tool.ts';

const tool = (properties: object, more: object = {}) =>
  readMcpTool({ name: 'a', inputSchema: { type: 'object', properties }, ...more });

describe('a definition', () => {
  it.each<[string, unknown]>([
    ['no object', 'a'],
    ['no schema', { name: 'a' }],
    ['no name', { name: '', inputSchema: {} }],
    ['a long name', { name: 'a'.repeat(129), inputSchema: {} }],
    ['a header that is no token', { name: 'a', inputSchema: { properties: { x: { 'x-mcp-header': 'a b' } } } }],
    [
      'a header that two arguments have',
      { name: 'a', inputSchema: { properties: { x: { 'x-mcp-header': 'A' }, y: { 'x-mcp-header': 'a' } } } },
    ],
  ])('with %s is invalid', (_, value) => expect(readMcpTool(value)).toBeUndefined());

  it('is approved by all of its members', () => {
    const before = tool({ to: {} }, { annotations: { readOnlyHint: true } }) as McpTool;
    const approved = { approved: { a: before.version } };
    expect(stateOf(before, approved).state).toBe('approved');
    expect(stateOf(before, { approved: {} }).state).toBe('new');
    const after = tool({ to: {}, bcc: {} }, { annotations: { readOnlyHint: false } }) as McpTool;
    expect(stateOf(after, approved)).toEqual({
      state: 'changed',
      fields: ['annotations', 'parameters.properties.bcc'],
    });
  });

  it('with the name of a member of every object was not approved', () => {
    const named = readMcpTool({ name: 'constructor', inputSchema: {} }) as McpTool;
    expect(stateOf(named, { approved: {} }).state).toBe('new');
  });

  it.each([
    ['block', [true, false, false]],
    ['flag', [true, true, false]],
    ['off', [true, true, true]],
  ] as const)('that is approved, changed or new is served with %s', (onChange, served) =>
    expect((['approved', 'changed', 'new'] as const).map((state) => isServed(state, { onChange }))).toEqual(served),
  );
});

describe('headers that repeat arguments', () => {
  const { mirrored } = tool({
    n: { 'x-mcp-header': 'N' },
    in: { properties: { s: { 'x-mcp-header': 'S' } } },
  }) as McpTool;
  const check =
    (args: unknown, ...sent: [string, string][]) =>
    () =>
      checkParamHeaders({ mirrored }, args, new HeaderList(sent));

  it('agree', () => {
    expect(check({})).not.toThrow();
    expect(check({ n: 42, in: { s: 'x' } }, ['mcp-param-n', '42.0'], ['mcp-param-s', 'x'])).not.toThrow();
    expect(check({ n: null })).not.toThrow();
  });

  it.each<[string, unknown, [string, string][]]>([
    ['one is missing', { n: 42 }, []],
    ['one differs', { n: 42 }, [['mcp-param-n', '43']]],
    ['one has no argument', {}, [['mcp-param-s', 'x']]],
    ['one is of a nested argument', { in: { s: 'x' } }, [['mcp-param-s', 'y']]],
  ])('do not agree if %s', (_, args, sent) => expect(check(args, ...sent)).toThrow('Header mismatch'));
});
