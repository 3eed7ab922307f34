import { describe, expect, it } from '@jest/globals';
import { HeaderList } from '../../kernel/http/index.ts';
import { isServed, kindOfName, type McpItem, type McpKind, readMcpItem, stateOf } from './mcp-item.ts';
import { checkParamHeaders } from './mcp-param-headers.ts';

const HEADED = { type: 'string', 'x-mcp-header': 'A' };
const withArguments = (properties: object) => ({ name: 'a', inputSchema: { type: 'object', properties } });
const tool = (properties: object, more: object = {}) =>
  readMcpItem('tool', { name: 'a', inputSchema: { type: 'object', properties }, ...more });

describe('a definition', () => {
  it.each<[string, unknown]>([
    ['no object', 'a'],
    ['no schema', { name: 'a' }],
    ['no name', { name: '', inputSchema: {} }],
    ['a long name', { name: 'a'.repeat(129), inputSchema: {} }],
    ['the name of a prompt', { name: 'prompt:a', inputSchema: {} }],
    ['a header that is no token', withArguments({ x: { type: 'string', 'x-mcp-header': 'a b' } })],
    [
      'a header that two arguments have',
      withArguments({ x: { type: 'string', 'x-mcp-header': 'A' }, y: { type: 'string', 'x-mcp-header': 'a' } }),
    ],
    ['a header for a number', withArguments({ x: { type: 'number', 'x-mcp-header': 'A' } })],
    ['a header for an element of a list', withArguments({ x: { items: { type: 'string', 'x-mcp-header': 'A' } } })],
    [
      'a header in a definition that is referred to',
      { name: 'a', inputSchema: { $defs: { x: { properties: { y: { type: 'string', 'x-mcp-header': 'A' } } } } } },
    ],
    ['a header under a condition', { name: 'a', inputSchema: { anyOf: [withArguments({ x: HEADED }).inputSchema] } }],
  ])('with %s is invalid', (_, value) => expect(readMcpItem('tool', value)).toBeUndefined());

  it('is approved by all of its members', () => {
    const before = tool({ to: {} }, { annotations: { readOnlyHint: true } }) as McpItem;
    const approved = { approved: { a: before.version } };
    expect(stateOf(before, approved).state).toBe('approved');
    expect(stateOf(before, { approved: {} }).state).toBe('new');
    const after = tool({ to: {}, bcc: {} }, { annotations: { readOnlyHint: false } }) as McpItem;
    expect(stateOf(after, approved)).toEqual({
      state: 'changed',
      fields: ['annotations', 'parameters.properties.bcc'],
    });
  });

  it('with the name of a member of every object was not approved', () => {
    const named = readMcpItem('tool', { name: 'constructor', inputSchema: {} }) as McpItem;
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

describe('a prompt, resource or template', () => {
  it.each<[McpKind, object, string]>([
    ['prompt', { name: 'review', arguments: [{ name: 'code' }] }, 'prompt:review'],
    ['resource', { uri: 'file:///a', name: 'a' }, 'resource:file:///a'],
    ['template', { uriTemplate: 'file:///{path}', name: 'files' }, 'template:file:///{path}'],
  ])('has the kind in its name: %s', (kind, value, name) => {
    const item = readMcpItem(kind, value) as McpItem;
    expect([item.name, kindOfName(name)]).toEqual([name, kind]);
    expect(readMcpItem(kind, { ...value, description: 'x' })?.version.digest).not.toBe(item.version.digest);
  });

  it.each<[McpKind, object]>([
    ['prompt', { title: 'without a name' }],
    ['prompt', { name: 'x'.repeat(122) }],
    ['template', { uriTemplate: 7 }],
    ['resource', { uri: `file:///${'x'.repeat(2_048)}` }],
  ])('that breaks the protocol is none: %s', (kind, value) => expect(readMcpItem(kind, value)).toBeUndefined());
});

describe('headers that repeat arguments', () => {
  const { mirrored } = tool({
    n: { type: 'integer', 'x-mcp-header': 'N' },
    in: { properties: { s: { type: 'string', 'x-mcp-header': 'S' } } },
  }) as McpItem;
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
