import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../kernel/errors/index.ts';
import { openAiError } from '../../kernel/http/index.ts';
import { errorShapeOf } from './error-shapes.ts';

const [anthropicError, geminiError] = [errorShapeOf('anthropic'), errorShapeOf('gemini')];

const refusal = (status: number, code: string | null, message = 'Text.') =>
  new GatewayError('invalid_value', message, { passedOn: { status, type: 'a_type', code } });

interface Shaped {
  readonly error: { readonly type?: string; readonly status?: string; readonly message: string; readonly svc?: object };
  readonly svc?: object;
}
const shape = (of: typeof openAiError, error: GatewayError) => of(error, 'req_1') as Shaped;

describe('an error in each format', () => {
  it.each([
    [400, 'invalid_request_error', 'INVALID_ARGUMENT'],
    [402, 'billing_error', 'FAILED_PRECONDITION'],
    [413, 'request_too_large', 'INVALID_ARGUMENT'],
    [422, 'invalid_request_error', 'INVALID_ARGUMENT'],
    [429, 'rate_limit_error', 'RESOURCE_EXHAUSTED'],
    [529, 'overloaded_error', 'UNAVAILABLE'],
  ])('has the type that its clients know for %i', (status, type, googleStatus) => {
    const error = refusal(status, null);
    expect(shape(openAiError, error).error.type).toBe('a_type');
    expect(shape(anthropicError, error).error.type).toBe(type);
    expect(shape(geminiError, error).error).toMatchObject({ code: status, status: googleStatus });
  });

  it.each([
    ['OpenAI', "This model's maximum context length is 8192 tokens.", false, false],
    ['Anthropic', 'prompt is too long: 201234 tokens > 200000 maximum', true, false],
    ['Google', 'The input token count exceeds the maximum number of tokens allowed (1048576).', false, true],
  ])('says that the context is too long as its clients expect it (%s)', (_, text, ofAnthropic, ofGoogle) => {
    const error = refusal(400, 'context_length_exceeded', text);
    expect(shape(openAiError, error).error).toMatchObject({ code: 'context_length_exceeded', message: text });
    const [anthropic, google] = [anthropicError, geminiError].map((of) => shape(of, error).error.message);
    expect(anthropic).toBe(ofAnthropic ? text : `prompt is too long: ${text}`);
    expect(google).toBe(
      ofGoogle ? text : `The input token count exceeds the maximum number of tokens allowed: ${text}`,
    );
  });

  it('has the security information in the error object too, where SDKs expose it', () => {
    const svc = { action: 'block' };
    const blocked = new GatewayError('content_filter', 'Blocked.', { svc });
    for (const form of [openAiError, anthropicError, geminiError]) {
      expect(shape(form, blocked)).toMatchObject({ svc, error: { svc } });
      expect(shape(form, refusal(400, null)).error).not.toHaveProperty('svc');
    }
  });
});
