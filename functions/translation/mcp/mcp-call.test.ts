import { describe, expect, it } from '@jest/globals';
import { joinedName, readMcpTarget, serverOf, toMcpRequest } from './mcp-call.ts';

describe('the name of a tool among those of all servers', () => {
  it('has its server before it', () => {
    expect(joinedName('crm', 'search')).toBe('crm__search');
    expect([serverOf('crm__search'), serverOf('a-1____x'), serverOf('search'), serverOf('__x')]).toEqual([
      'crm',
      'a-1',
      undefined,
      undefined,
    ]);
  });

  it('is at most 64 characters, stable, and shared by no two tools', () => {
    const server = 's'.repeat(32);
    const long = `${'t'.repeat(60)}-1`;
    const shortened = joinedName(server, long);
    expect(shortened).toHaveLength(64);
    expect(shortened).toBe(joinedName(server, long));
    expect(serverOf(shortened)).toBe(server);
    const others = [`${'t'.repeat(60)}-2`, shortened.slice(server.length + 2), 't'.repeat(30)];
    const names = [long, ...others].map((tool) => joinedName(server, tool));
    expect(new Set(names).size).toBe(4);
    expect(names.map(({ length }) => length)).toEqual([64, 64, 64, 64]);
  });
});

describe('what a call names', () => {
  const read = (method: string, params: Record<string, unknown>) => readMcpTarget({ method, params });

  it('is a tool, a prompt, a resource or a template, with the arguments that rules decide by', () => {
    expect(read('tools/call', { name: 'a' })).toMatchObject({ kind: 'tool', id: 'a', args: {} });
    expect(read('prompts/get', { name: 'a', arguments: { b: 'c' } })).toMatchObject({
      kind: 'prompt',
      args: { b: 'c' },
    });
    expect(read('resources/read', { uri: 'x:/y' })).toMatchObject({
      kind: 'resource',
      id: 'x:/y',
      args: { uri: 'x:/y' },
    });
    const argument = { name: 'b', value: 'c' };
    const context = { arguments: { d: 'e' } };
    expect(read('completion/complete', { ref: { type: 'ref/prompt', name: 'a' }, argument, context })).toMatchObject({
      kind: 'prompt',
      id: 'a',
      args: { b: 'c', d: 'e' },
    });
    expect(read('completion/complete', { ref: { type: 'ref/resource', uri: 'x:/{y}' }, argument })).toMatchObject({
      kind: 'template',
      id: 'x:/{y}',
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ['tools/call', { name: 1 }],
    ['tools/call', { name: 'a', arguments: [] }],
    ['prompts/get', { arguments: {} }],
    ['resources/read', { uri: '' }],
    ['resources/read', { uri: 'x'.repeat(2_049) }],
    ['completion/complete', { ref: { type: 'ref/other', name: 'a' }, argument: { name: 'b', value: 'c' } }],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'a' }, argument: { name: 'b', value: 1 } }],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'a' } }],
  ])('%s is refused with %j', (method, params) => expect(() => read(method, params)).toThrow(`those of ${method}`));
});

it("a call goes to its server under the server's name of the tool, with nothing else changed", () => {
  const text = '{"jsonrpc":"2.0", "id":1,"method":"tools/call","params":{"name":"crm__a","arguments":{"n":1.0}}}';
  const message = { id: 1, method: 'tools/call', params: JSON.parse(text).params, isModern: false };
  const sent = toMcpRequest({ id: 'a', mirrored: [] }, message, { text });
  expect([sent.name, sent.text(false)]).toEqual(['a', text.replace('"crm__a"', '"a"')]);
});
