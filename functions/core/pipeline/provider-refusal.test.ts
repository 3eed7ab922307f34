import { expect, it } from '@jest/globals';
import { GatewayError } from '../base/errors.ts';
import type { ChatRequest } from '../model/chat.ts';
import { inCallersNames } from './provider-refusal.ts';

const request = (fields: Partial<ChatRequest>) => fields as ChatRequest;
const NAMES = {
  'messages[1]': 'input[0]',
  'messages[1].content': 'input[0].output',
  'messages[11]': 'input[10]',
  response_format: 'text.format',
};

it.each([
  ['messages[1].name', 'input[0].name'],
  ['messages[1].content[2]', 'input[0].output[2]'],
  ['messages[11].content', 'input[10].content'],
  ['response_format', 'text.format'],
  ['messages[2].content', 'messages[2].content'],
  ['response_formats', 'response_formats'],
])('an error for %s names %s for the caller', (param, named) => {
  const error = new GatewayError('invalid_value', `It does not take \`${param}\`.`, { param, fallback: 'now' });
  expect(inCallersNames(error, request({ callersNames: NAMES }))).toMatchObject({
    code: 'invalid_value',
    message: `It does not take \`${named}\`.`,
    param: named,
    fallback: 'now',
  });
});

it('errors without a field, and other errors, stay unchanged', () => {
  for (const error of [new GatewayError('provider_error', 'no'), new Error('no'), 7]) {
    expect(inCallersNames(error, request({ callersNames: NAMES }))).toBe(error);
  }
});
