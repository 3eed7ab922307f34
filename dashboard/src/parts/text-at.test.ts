import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { textAt } from './text-at.ts';

const name = fc.stringMatching(/^[a-z_][a-z_0-9]{0,6}$/).filter((text) => text !== '__proto__');
const steps = fc.array(fc.oneof(name, fc.nat(3)), { minLength: 1, maxLength: 5 });

function nest(path: readonly (string | number)[], text: string): unknown {
  return path.reduceRight<unknown>((inner, step) => {
    if (typeof step === 'string') return { [step]: inner };
    return [...Array.from({ length: step }, () => null), inner];
  }, text);
}

describe('textAt', () => {
  it('finds the text that its path names, wherever it stands', () => {
    fc.assert(
      fc.property(steps, fc.string(), (path, text) => {
        const written = path.map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`));
        expect(textAt(nest(path, text), written.join(''))).toBe(text);
      }),
    );
  });

  it.each(['messages[2].content', 'messages', 'messages[0]', 'constructor.name', '[', 'a..b', 'tools[0].*'])(
    'finds nothing at %s',
    (path) => expect(textAt({ messages: [{ content: 'a' }] }, path)).toBeUndefined(),
  );
});
