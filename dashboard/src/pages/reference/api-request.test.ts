import { describe, expect, test } from '@jest/globals';
import { obstacleOf, toCurl, toRequest } from './api-request.ts';
import type { Operation, Parameter } from './openapi-document.ts';

const parameter = (name: string, place: Parameter['in']): Parameter => ({ name, in: place, schema: {} });

const operation: Operation = {
  operationId: 'x',
  method: 'POST',
  path: '/v1/models/{call}',
  tags: ['X'],
  summary: 'X',
  security: [{ bearer: [] }, { dashboardSession: [] }],
  parameters: [parameter('call', 'path'), parameter('alt', 'query'), parameter('X-Session-ID', 'header')],
  requestBody: { content: { 'application/json': {} } },
  responses: { 200: { description: '' } },
};
const form: Operation = {
  ...operation,
  requestBody: {
    content: {
      'multipart/form-data': {
        schema: { required: ['file', 'model'], properties: { file: { format: 'binary' }, model: {} } },
      },
    },
  },
};

describe('a request', () => {
  test('has each value in its place, escaped, and a body of JSON', () => {
    const values = { call: 'a/b?c:generate', alt: 'a&b=c', 'X-Session-ID': 's 1' };
    expect(toRequest(operation, values, '{}')).toEqual({
      method: 'POST',
      path: '/v1/models/a%2Fb%3Fc:generate?alt=a%26b%3Dc',
      headers: { 'Content-Type': 'application/json', 'X-Session-ID': 's 1' },
      body: '{}',
    });
  });

  test('leaves out empty values, keeps the name of a missing path parameter, and has no body where none is taken', () => {
    const { requestBody: _, ...without } = operation;
    expect(toRequest(without, { alt: '' }, '')).toEqual({
      method: 'POST',
      path: '/v1/models/{call}',
      headers: {},
      body: undefined,
    });
  });
});

describe('a request for curl', () => {
  test('quotes for the shell and names the key only as a variable', () => {
    const request = toRequest(operation, { call: 'm' }, `{"a":"it's"}`);
    expect(toCurl(operation, request, 'https://svc.example')).toBe(
      [
        `curl -X POST 'https://svc.example/v1/models/m' \\`,
        `  -H "Authorization: Bearer $SVC_API_KEY" \\`,
        `  -H 'Content-Type: application/json' \\`,
        `  -d '{"a":"it'\\''s"}'`,
      ].join('\n'),
    );
  });

  test('has the required fields of a form', () => {
    const curl = toCurl(form, toRequest(form, {}, ''), 'https://svc.example');
    expect(curl).toContain('-F file=@FILE');
    expect(curl).toContain('-F model=VALUE');
  });
});

test.each([
  [operation, undefined],
  [{ ...operation, security: [] }, undefined],
  [{ ...operation, security: [{ dashboardSession: [] }] }, 'It needs the session cookie of the dashboard.'],
  [{ ...operation, responses: { 303: { description: '' } } }, 'It redirects the browser.'],
  [form, 'It takes a form with a file.'],
])('an operation that the page cannot send has a reason', (given, expected) => {
  expect(obstacleOf(given)).toBe(expected);
});
