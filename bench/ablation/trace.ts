import { readings } from '../../functions/inspection/decoding/passage-reader.ts';
import { PayloadReader } from '../../functions/inspection/decoding/payloads.ts';
import { Respeller } from '../../functions/inspection/decoding/respelled.ts';
import { CompiledRules } from '../../functions/inspection/matching/rule-library.ts';
import { SecondReading } from '../../functions/inspection/matching/second-reading.ts';

/** Notes which parts of the engine do something with a text: without the others, the result is the same. */
export function tracePart(note: (part: string) => void): void {
  after(PayloadReader.prototype, 'read', (payloads) => {
    for (const { encoding } of payloads) note(`decoding/${encoding}`);
    return payloads;
  });
  const shared = readings();
  after(shared, 'of', (found) => {
    for (const { kind, writing } of found) for (const name of [kind, ...writing]) note(`readings/${kind}/${name}`);
    return found;
  });
  // Private: changes that are too few for a reading.
  for (const name of ['respellAll', 'leetWords'])
    after(Respeller.prototype as unknown as Record<string, () => unknown[]>, name, (changes) => {
      if (changes.length > 0) note('readings/spelling/changes');
      return changes;
    });
  after(CompiledRules.prototype, 'ruleOf', (rule) => {
    note(`rules/${rule.id.split('/', 1)[0]}`);
    return rule;
  });
  after(SecondReading.prototype, 'beginsWith', (begins: boolean) => {
    if (begins) note('second-reading');
    return begins;
  });
}

/** Whether a text with these noted parts may have another result without a part, or several joined by `+`. */
export function mayChange(parts: string, noted: readonly string[]): boolean {
  return parts.split('+').some((part) => mayChangeWithout(part, noted));
}

function mayChangeWithout(part: string, noted: readonly string[]): boolean {
  if (part === 'all hidden text') return noted.some((name) => !name.startsWith('rules/'));
  // Parts of one kind of spelling compete for the same words.
  const scope = part.startsWith('readings/spelling/') ? 'readings/spelling' : part;
  return noted.some((name) => name === scope || name.startsWith(`${scope}/`));
}

type Methods<Name extends string, Result> = { [name in Name]: (...args: never[]) => Result };

function after<Name extends string, Result>(
  target: Methods<Name, Result>,
  name: Name,
  see: (result: Result) => Result,
): void {
  const method: (...args: never[]) => Result = target[name];
  const value = function (this: unknown, ...args: never[]): Result {
    return see(method.apply(this, args));
  };
  Object.defineProperty(target, name, { value, configurable: true, writable: true });
}
