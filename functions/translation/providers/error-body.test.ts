import { expect, test } from '@jest/globals';
import { errorIn, readProviderError } from './error-body.ts';

test.each([
  [
    'OpenAI',
    { error: { message: 'No.', type: 'invalid_request_error', param: 'model', code: 'bad' } },
    400,
    { message: 'No.', type: 'invalid_request_error', param: 'model', code: 'bad' },
  ],
  [
    'OpenRouter',
    { error: { message: 'Add credits.', code: 402, metadata: {} }, user_id: 'u' },
    402,
    { message: 'Add credits.' },
  ],
  [
    'vLLM',
    { error: { message: 'Too long.', type: 'BadRequestError', param: null, code: 400 } },
    400,
    { message: 'Too long.', type: 'BadRequestError' },
  ],
  [
    'vLLM before 0.10',
    { object: 'error', message: 'Too long.', type: 'BadRequestError', param: null, code: 400 },
    400,
    { message: 'Too long.', type: 'BadRequestError' },
  ],
  [
    'Mistral',
    { object: 'error', message: 'Invalid model.', type: 'invalid_model', param: null, code: '1500' },
    400,
    { message: 'Invalid model.', type: 'invalid_model', code: '1500' },
  ],
  [
    'Mistral, a field',
    {
      object: 'error',
      message: { detail: [{ type: 'missing', loc: ['body', 'messages'], msg: 'Field required' }] },
      type: 'invalid_request_error',
      code: null,
    },
    422,
    { message: 'messages: Field required', param: 'messages', type: 'invalid_request_error' },
  ],
  ['Cohere', { id: 'x', message: 'too many tokens' }, 400, { message: 'too many tokens' }],
  ['FastAPI', { detail: 'Not here' }, 404, { message: 'Not here' }],
  [
    'FastAPI, fields',
    { detail: [{ loc: ['body', 'n', 0], msg: 'too large', type: 'x' }, { msg: 'and more' }] },
    422,
    { message: 'n.0: too large; and more', param: 'n.0' },
  ],
  ['Ollama', { error: 'model "x" not found' }, 404, { message: 'model "x" not found' }],
  ['a numeric code of its own', { error: { message: 'No.', code: 1210 } }, 400, { message: 'No.', code: '1210' }],
])('reads the error of %s', (_, body, status, error) => {
  expect(readProviderError(JSON.stringify(body), status)).toEqual(error);
});

test.each(['', 'Bad gateway', '[]', '{"error":{}}', '{"error":{"message":""}}', '{"detail":[]}', 'null'])(
  'reads nothing from %j',
  (body) => expect(readProviderError(body, 400)).toBeUndefined(),
);

test.each([
  ['OpenAI', '{"error":{"message":"No.","type":"server_error","code":null}}', { message: 'No.', type: 'server_error' }],
  [
    'OpenRouter',
    '{"id":"x","choices":[{"finish_reason":"error"}],"error":{"code":502,"message":"No."}}',
    { message: 'No.', code: '502' },
  ],
  [
    'Anthropic',
    '{"type":"error","error":{"type":"overloaded_error","message":"No."}}',
    { message: 'No.', type: 'overloaded_error' },
  ],
  [
    'the Responses API',
    '{"type":"error","code":"rate_limit_exceeded","message":"No.","param":null}',
    { message: 'No.', type: 'error', code: 'rate_limit_exceeded' },
  ],
  ['Google', '{"error":{"code":503,"message":"No.","status":"UNAVAILABLE"}}', { message: 'No.', code: '503' }],
  [
    'vLLM',
    '{"object":"error","message":"No.","type":"BadRequestError","code":400}',
    { message: 'No.', type: 'BadRequestError', code: '400' },
  ],
])('finds the error of %s in a response', (_, json, error) => expect(errorIn(json)).toMatchObject(error));

test.each([
  '{"choices":[],"error":null}',
  '{"response":{"error":{"message":"inside"}}}',
  '{"object":"response","status":"failed","error":{"code":"server_error","message":"x"},"output":[]}',
  '{"choices":[{"delta":{"content":"{\\"error\\":{\\"message\\":\\"x\\"}}"}}]}',
  '{"type":"response.failed","response":{"error":{"code":"server_error","message":"x"}}}',
  '{"type":"content_block_start","content_block":{"type":"error","message":"x"}}',
  '{"error":"',
])('finds none in %s', (json) => expect(errorIn(json)).toBeUndefined());

test('reads the first details of a very long list, whatever follows', () => {
  const list = [{ msg: 'First.' }, { msg: 'Second.' }, { msg: 'Third.' }, ...Array.from({ length: 20_000 }, () => 1)];
  expect(readProviderError(JSON.stringify({ detail: list }))).toEqual({ message: 'First.; Second.; Third.' });
});

test('looks for no error in what is too long for one', () => {
  const error = { message: 'a'.repeat(100_000) };
  expect(errorIn(JSON.stringify({ error }))).toBeUndefined();
});
