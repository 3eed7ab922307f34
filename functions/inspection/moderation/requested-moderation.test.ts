import { describe, expect, it } from '@jest/globals';
import { moderationFieldSchema, outsideMessages } from '../../kernel/model/index.ts';
import type { Evidence } from '../fusion/index.ts';
import type { Finding, Rule } from '../matching/index.ts';
import { RequestedModeration } from './requested-moderation.ts';

const finding = (category: string, score: number, type = 'toxicity'): Finding => ({
  rule: { id: 'x/y', type, category } as unknown as Rule,
  score,
  start: 0,
  end: 1,
  decodedFrom: [],
});
const evidence = (found: Finding): Evidence => ({
  finding: found,
  text: outsideMessages(['x'], 'x', 'user'),
  passage: { text: 'x', start: 0, end: 1 },
  turnsAgo: 0,
  reasons: [],
});

describe('a moderation that was asked for', () => {
  it('tells each side by itself: scores of all that was found, flags of what the policy does not let pass', () => {
    const moderation = new RequestedModeration({ model: 'omni-moderation-latest' }, {});
    moderation.takeInput([evidence(finding('insult', 0.7)), evidence(finding('hate', 0.3))]);
    moderation.takeInput([evidence(finding('email', 0.9, 'pii'))]);
    moderation.takeOutput(finding('threat', 0.4), 'allow');
    const { model, input, output } = moderation.report();
    expect([model, input.flagged, output.flagged]).toEqual(['omni-moderation-latest', true, false]);
    expect(input.category_scores).toMatchObject({ harassment: 0.7, hate: 0.3, violence: 0, 'self-harm': 0 });
    expect(input.categories).toMatchObject({ harassment: true, hate: false, violence: false });
    expect(output.category_scores).toMatchObject({ violence: 0.4, harassment: 0.4 });
    expect(output.category_applied_input_types).toMatchObject({ violence: ['text'], 'self-harm': [] });
  });

  it.each([
    ['score', 'flag', 'flag'],
    ['block', 'block', 'block'],
    [{ policy: { input: { mode: 'block' } } }, 'block', 'flag'],
    [{ policy: { output: { mode: 'block' }, input: null } }, 'flag', 'block'],
    [{ policy: null }, 'flag', 'flag'],
  ] as const)('acts on what is flagged as it says: %j', (asked, input, output) => {
    const { policy } = new RequestedModeration(moderationFieldSchema.parse(asked), {});
    const decide = (surface: 'user' | 'output', score: number) => policy.decide(finding('insult', score), surface);
    expect([decide('user', 0.5), decide('output', 0.5)]).toEqual([input, output]);
    expect([decide('user', 0.49), decide('output', 0.49)]).toEqual(['allow', 'allow']);
    expect(policy.decide(finding('insult', 1), 'system')).toBe('flag');
  });

  it('leaves what the policy says of everything else, and makes a policy once', () => {
    const settings = { preset: 'monitor', output: { secret: { action: 'redact' } } } as const;
    const { policy } = new RequestedModeration('block', settings);
    expect(policy.decide(finding('key', 0.9, 'secret'), 'output')).toBe('redact');
    expect(policy.decide(finding('override', 1, 'prompt_injection'), 'user')).toBe('flag');
    expect(new RequestedModeration('block', settings).policy).toBe(policy);
    expect(new RequestedModeration('score', settings).policy).not.toBe(policy);
  });
});

it.each([['loud'], [{ model: '' }], [{ policy: { input: { mode: 'loud' } } }], [{ policies: {} }], [7], [[]]])(
  'is none: %j',
  (asked) => expect(moderationFieldSchema.safeParse(asked).success).toBe(false),
);
