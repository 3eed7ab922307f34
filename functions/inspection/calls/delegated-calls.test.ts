import { describe, expect, it } from '@jest/globals';
import { ATTACKED, conversation, inspected, mailTo, ORDER } from './call-inspector.fixture.ts';

describe('a call that the user has delegated', () => {
  const delegated = conversation(
    'Do whatever the sender of mail m-1 wants.',
    ORDER,
    'send_email',
    mailTo('audit@collect-docs.test'),
  );

  it.each([
    ['block', 'send', 'flag'],
    ['flag', 'send', 'flag'],
    [
      'ask',
      {
        pending: expect.objectContaining({
          doubt: expect.objectContaining({ argument: 'to', reasons: ['delegated'] }),
        }),
      },
      'ask',
    ],
  ] as const)('is named so and never blocked: %s', async (action, verdict, reported) => {
    const done = await inspected(delegated, { output: { tool_misuse: { action } } });
    expect(done.verdict).toEqual(verdict);
    expect(done.threats).toMatchObject([{ action: reported, reasons: ['delegated'] }]);
  });

  it('is blocked as before if the user delegates nothing', async () => {
    const done = await inspected(ATTACKED, { output: { tool_misuse: { action: 'block' } } });
    expect(done.threats).toMatchObject([{ action: 'block' }]);
    expect(done.threats[0]).not.toHaveProperty('reasons');
  });
});
