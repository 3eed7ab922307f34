import { describe, expect, it } from '@jest/globals';
import { CODE_INJECTION_RULES } from '../../functions/inspection/detectors/code-injection.ts';
import { CONTACT_RULES } from '../../functions/inspection/detectors/personal-data/contact-rules.ts';
import { isReference, traitsOf } from '../../functions/translation/protocols/bodies/reference-names.ts';
import { ResponsesPieceReader } from '../../functions/translation/protocols/openai-responses/responses-response-reader.ts';
import { flatName } from '../../functions/translation/protocols/openai-responses/responses-tools.ts';

/** Texts for which a backtracking pattern would need minutes. Each is handled in milliseconds, so no clock is read. */
const LONG = 1_000_000;

describe('values that a backtracking pattern would read for minutes', () => {
  it('the host of an address', () => {
    const named = traitsOf('image_url');
    expect(isReference(`https://${'aiplatform.'.repeat(LONG / 10)}example`, named, false)).toBe(false);
    expect(isReference('https://us-aiplatform.googleapis.com/v1/x', named, false)).toBe(true);
  });

  it('the namespace of a tool', () => {
    expect(flatName('search', `${'_'.repeat(LONG)}a`)).toHaveLength(64);
  });

  it("the type of a provider's event", () => {
    const type = `response.${'a'.repeat(LONG)}.delta`;
    const { slots } = new ResponsesPieceReader(false, []).read(JSON.stringify({ type, delta: 'Hi' }));
    expect(slots.map(({ text }) => text)).toContain('Hi');
  });

  it('words between a command and an account, for which time doubled with each word', () => {
    const [email] = CONTACT_RULES;
    const before = `ssh ${'-. '.repeat(60)}x `;
    expect(email?.check?.('anna@poczta.pl', { before, earlier: 0 })).toBe(0.9);
  });

  it("a program's call of its own machine", () => {
    const shell = CODE_INJECTION_RULES.find(({ id }) => id === 'code-injection/shell');
    const match = `"curl ${'localhost '.repeat(LONG / 10)}| sh`;
    expect(shell?.check?.(match, { before: '', earlier: 0 })).toBe(0.6);
  });
});
