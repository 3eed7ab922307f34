import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BODY, callOf } from './openai-provider.fixture.ts';
import { OPENAI_DIALECT, toOpenAiBody } from './to-openai-request.ts';

describe('the body that OpenAI gets', () => {
  it("is the client's, byte for byte, if nothing has to change", () =>
    expect(toOpenAiBody(callOf(BODY, 'gpt-4o'), OPENAI_DIALECT)).toBe(BODY));

  it.each([
    ['the provider prefix', BODY.replace('gpt-4o', 'openai/gpt-4o'), 'gpt-4o', BODY],
    ["the gateway's fields", BODY.replace('{ ', '{ "svc":{"a":[1]}, "moderation" : "score" ,'), 'gpt-4o', BODY],
    [
      'usage requested',
      '{"model":"m","messages":[{"role":"user","content":"a"}],"stream":true}',
      'm',
      '{"model":"m","messages":[{"role":"user","content":"a"}],"stream":true,"stream_options":{"include_usage":true}}',
    ],
    [
      'usage requested instead of null',
      '{"stream_options": null,"model":"m","messages":[{"role":"user","content":"a"}],"stream":true}',
      'm',
      '{"stream_options": {"include_usage":true},"model":"m","messages":[{"role":"user","content":"a"}],"stream":true}',
    ],
    [
      'usage requested instead of false',
      '{"stream_options":{"include_usage":false,"x":1},"model":"m","messages":[{"role":"user","content":"a"}],"stream":true}',
      'm',
      '{"stream_options":{"include_usage":true,"x":1},"model":"m","messages":[{"role":"user","content":"a"}],"stream":true}',
    ],
    [
      'usage requested beside other options',
      '{"stream_options":{"x":1},"model":"m","messages":[{"role":"user","content":"a"}],"stream":true}',
      'm',
      '{"stream_options":{"x":1,"include_usage":true},"model":"m","messages":[{"role":"user","content":"a"}],"stream":true}',
    ],
  ])('differs only in %s', (_, text, model, expected) =>
    expect(toOpenAiBody(callOf(text, model), OPENAI_DIALECT)).toBe(expected),
  );

  it("equals the client's except for the documented edits", () => {
    // Member names that a request may not have.
    const hasNoReservedName = (value: unknown) => !/__proto__|prototype|constructor/.test(JSON.stringify(value));
    const other = fc.dictionary(
      fc.constantFrom('seed', 'a"b', 'x\\y', 'é', 'metadata'),
      fc.jsonValue({ maxDepth: 2 }).filter(hasNoReservedName),
      { maxKeys: 3 },
    );
    const own = fc.record(
      {
        svc: fc.jsonValue({ maxDepth: 1 }).filter(hasNoReservedName),
        moderation: fc.constantFrom('score', null, { model: 'm', policy: { input: { mode: 'block' } } }),
      },
      { requiredKeys: [] },
    );
    const options = fc.option(fc.record({ include_usage: fc.boolean(), y: fc.integer() }, { requiredKeys: [] }), {
      nil: null,
    });
    const spaces = fc.constantFrom(undefined, 1, '\t');
    fc.assert(
      fc.property(
        other,
        own,
        fc.boolean(),
        fc.option(options, { nil: undefined }),
        fc.boolean(),
        spaces,
        (fields, ours, stream, stream_options, prefixed, indent) => {
          const kept = {
            ...fields,
            stream,
            ...(stream_options !== undefined && { stream_options }),
            messages: [{ role: 'user', content: 'a' }],
          };
          const text = JSON.stringify({ ...ours, ...kept, model: prefixed ? 'openai/m' : 'm' }, undefined, indent);
          const expected = {
            ...kept,
            model: 'm',
            ...(stream && { stream_options: { ...stream_options, include_usage: true } }),
          };
          expect(JSON.parse(toOpenAiBody(callOf(text, 'm'), OPENAI_DIALECT))).toEqual(
            JSON.parse(JSON.stringify(expected)),
          );
        },
      ),
    );
  });
});
