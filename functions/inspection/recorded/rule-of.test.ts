import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { ruleOf } from './rule-of.ts';

const INSPECTION = path.resolve(import.meta.dirname, '..');

/** The ids of all rules that the sources declare. */
function declaredIds(): string[] {
  const files = readdirSync(INSPECTION, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => /(?<!\.test|\.fixture|\.examples)\.ts$/.test(file));
  return sources.flatMap((file) =>
    Array.from(
      readFileSync(path.join(INSPECTION, file), 'utf8').matchAll(/^ +id: '([\w-]+\/[\w-]+)',$/gm),
      ([, id = '']) => id,
    ),
  );
}

it('finds every rule that is declared', () => {
  const ids = declaredIds();
  expect(ids.length).toBeGreaterThan(100);
  expect(ids.filter((id) => ruleOf(id) === undefined)).toEqual([]);
});

it('finds none of a rule that does not exist', () => {
  expect(ruleOf('prompt-injection/of-an-earlier-release')).toBeUndefined();
});
