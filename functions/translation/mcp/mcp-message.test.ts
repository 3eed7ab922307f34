import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../kernel/errors/index.ts';
import { HeaderList } from '../../kernel/http/index.ts';
import { decodeHeader, encodeHeader, McpError, mcpErrors, messageFor, readMcpMessage } from './mcp-message.ts';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe('a value of a header', () => {
  // The examples of the specification.
  it.each([
    ['us-west1', 'us-west1'],
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
  ])('is written and read: %j', (value, header) => {
    expect(encodeHeader(value)).toBe(header);
    expect(decodeHeader(header)).toBe(value);
  });
});

it.each(['=?base64?SGVsbG8?=', '=?base64?SGVsbG8===?=', '=?base64?a b?=', '=?base64?SGVsbG9=?='])(
  'a value that is no base64 is none: %s',
  (header) => expect(decodeHeader(header)).toBeUndefined(),
);

describe('a message', () => {
  const headers = (...pairs: [string, string][]) => new HeaderList(pairs);

  it('of the new revision has headers that repeat its body', () => {
    const value = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } };
    const sent = headers(['MCP-Protocol-Version', '2026-07-28'], ['Mcp-Method', 'tools/list']);
    expect(readMcpMessage({ value }, sent)).toMatchObject({ id: 1, method: 'tools/list', isModern: true });
    expect(() => readMcpMessage({ value }, headers(['Mcp-Method', 'tools/list']))).toThrow(McpError);
  });

  it('of an older revision needs no headers, and one that is there must agree', () => {
    const value = { jsonrpc: '2.0', id: 'a', method: 'tools/call', params: { name: 'x' } };
    expect(readMcpMessage({ value }, headers()).isModern).toBe(false);
    expect(() => readMcpMessage({ value }, headers(['mcp-name', 'y']))).toThrow('Header mismatch');
  });

  it('of an older client gets the members that a new server needs, also in place of others', () => {
    const params = { name: 'x', _meta: { progressToken: 1, 'io.modelcontextprotocol/clientInfo': 'planted' } };
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const message = { id: 1, method: 'tools/call', params, isModern: false };
    expect(JSON.parse(messageFor({ text }, message, true)).params._meta).toEqual({
      progressToken: 1,
      ...META,
      'io.modelcontextprotocol/clientInfo': { name: 'svc', version: '1' },
    });
    expect(messageFor({ text }, message, false)).toBe(text);
  });
});

describe('an error', () => {
  it("has the specification's code, or the status", () => {
    const codeOf = (error: GatewayError) => (mcpErrors()(error, 'req_1') as { error: { code: number } }).error.code;
    expect(codeOf(new GatewayError('invalid_json', 'x'))).toBe(-32700);
    expect(codeOf(new GatewayError('internal_error', 'x'))).toBe(-32603);
    expect(codeOf(new GatewayError('rate_limit_exceeded', 'x'))).toBe(429);
    expect(codeOf(new McpError('headerMismatch', 'x'))).toBe(-32020);
  });

  it('has the id of its request, if that is one', () => {
    const of = (value: unknown) => mcpErrors({ value })(new GatewayError('not_found', 'x'), 'req_1');
    expect(of({ id: 5 })).toMatchObject({ id: 5 });
    for (const value of [{ id: 'a secret text' }, { id: null }, [], 1]) expect(of(value)).not.toHaveProperty('id');
  });
});
