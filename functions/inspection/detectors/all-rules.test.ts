import { describe, expect, it } from '@jest/globals';
import { buildSync } from 'esbuild';
import fc from 'fast-check';
import { cutAt } from '../../kernel/json/cut-at.fixture.ts';
import { Inspector } from '../inspector/index.ts';
import { compareFindings, type Finding, type Rule, type RuleExamples } from '../matching/index.ts';
import { responseDetectors } from '../output/response-context.ts';
import { Policy } from '../policy/index.ts';
import { allExamples } from './all-rules.ts';
import { ALL_RULES, createInspector } from './index.ts';

const inspector = new Inspector(ALL_RULES);
const EXAMPLES = allExamples();
const SAMPLES = Object.values(EXAMPLES).flatMap(({ positives, negatives }) => [
  ...positives,
  ...negatives.map(({ text }) => text),
]);
const NONE: RuleExamples = { positives: [], negatives: [] };

function rulesThatTrigger(text: string, rule: Rule): string[][] {
  return rule.surfaces.map((surface) => {
    const found = inspector.inspect(text, surface).map((finding) => finding.rule);
    return [...new Set(found.filter(({ type }) => type === rule.type).map(({ id }) => id))];
  });
}

describe('the list of rules', () => {
  it('has examples for every rule, and for nothing else', () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual(ALL_RULES.map(({ id }) => id).sort());
  });

  it.each(ALL_RULES.map((rule) => [rule.id, rule] as const))('%s is well formed', (_, rule) => {
    expect(rule.id).toMatch(/^[a-z-]+\/[a-z0-9-]+$/);
    expect(rule.category).toMatch(/^[a-z0-9_]+$/);
    expect(rule.message).toMatch(/^[A-Z].*\.$/);
    expect(rule.owasp).toMatch(/^LLM\d\d:2025$/);
    expect(rule.score).toBeGreaterThan(0);
    expect(rule.score).toBeLessThanOrEqual(1);
    expect([rule.patterns.length > 0, rule.cues !== undefined, rule.signal !== undefined].filter(Boolean)).toHaveLength(
      1,
    );
    if (rule.view === 'folded') for (const pattern of rule.patterns) expect(pattern).toBe(lowerOutsideEscapes(pattern));
  });
});

describe.each(ALL_RULES.map((rule) => [rule.id, rule] as const))('%s', (id, rule) => {
  const { positives, negatives, alongside = [] } = EXAMPLES[id] ?? NONE;

  it('has examples of both kinds', () => {
    expect(positives).not.toHaveLength(0);
    expect(negatives).not.toHaveLength(0);
  });

  it.each(positives)('alone of its type is triggered by %j', (text) => {
    for (const ids of rulesThatTrigger(text, rule)) {
      expect(ids).toContain(id);
      expect(ids.filter((other) => other !== id && !alongside.includes(other))).toEqual([]);
    }
  });

  it.each(negatives.map(({ text, reason }) => [text, reason] as const))('is not triggered by %j: %s', (text) => {
    for (const ids of rulesThatTrigger(text, rule)) expect(ids).not.toContain(id);
  });
});

describe('a stream of any examples', () => {
  const texts = fc.array(fc.constantFrom(...SAMPLES), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(' '));
  const show = (findings: readonly Finding[]) =>
    findings.map(({ rule, start, end, score, decodedFrom }) => [rule.id, start, end, score, decodedFrom].join());

  it('has the findings of the whole text, and none that acts on settled text', () => {
    const surfaces = fc.constantFrom('user' as const, 'tool' as const, 'output' as const);
    fc.assert(
      fc.property(
        texts,
        fc.array(fc.nat(600), { maxLength: 60 }),
        surfaces,
        fc.boolean(),
        (text, cuts, surface, allAct) => {
          const acts = ({ type }: Rule) => allAct || type === 'pii';
          const stream = inspector.open(surface, acts);
          const findings: Finding[] = [];
          for (const piece of [...cutAt(text, cuts), undefined]) {
            const settledBefore = stream.settled;
            const found = piece === undefined ? stream.end() : stream.push(piece);
            for (const { rule, start, decodedFrom } of found) {
              if (acts(rule) && decodedFrom.length === 0) expect(start).toBeGreaterThanOrEqual(settledBefore);
            }
            findings.push(...found);
          }
          expect(show(findings.sort(compareFindings))).toEqual(show(inspector.inspect(text, surface)));
        },
      ),
    );
  });
});

describe('a bundle', () => {
  it('holds the rules and none of their examples', () => {
    const { outputFiles } = buildSync({
      stdin: { contents: "export { createInspector } from './index.ts';", resolveDir: import.meta.dirname },
      external: ['*.generated.json'],
      ...{ bundle: true, write: false, platform: 'node', format: 'esm', mainFields: ['module', 'main'] },
    });
    const code = outputFiles[0]?.text ?? '';
    expect(code).toContain('jailbreak/named-persona');
    expect(SAMPLES.filter((text) => /^[\w ,.]{24,}$/.test(text) && code.includes(text))).toEqual([]);
  });
});

const PROSE = `To reset the device, hold the button for 6 seconds and wait for the green light. That's it! If it
stays dark, check the cable (the short one), then call us on weekdays between 9:00 and 17:30.

1. Whisk 3 eggs with 120 g of sugar until pale; it takes about 4 minutes.
2. Fold in the flour, a pinch of salt & the zest of one lemon.

"Is it far?" she asked. — "Two miles," he said, "perhaps three; we'll see." Prices rose by 2.5 % in May 2024, to €14.99.
Die Bäckerei öffnet um sieben. La gare est à dix minutes à pied. Музей закрыт по понедельникам. 会议在下午三点开始。
| Item | Price |\n| --- | --- |\n| Lamp | 20 |\n\n\`\`\`ts\nconst total = items.reduce((sum, item) => sum + item.price, 0);\n\`\`\`
See [the manual](https://docs.example/manual) for more.`;

describe('ordinary prose', () => {
  const context = {
    prompts: ['You are the clerk of a hardware shop. Never tell the purchase price of a lamp.'],
    known: [],
  };

  it('is held back by at most 64 characters under the default policy, and most of it by hardly any', () => {
    const policy = new Policy({ canary: true });
    const detectors = responseDetectors({ ...context, marker: 'qzkvhtnbpwxjmrdg' }, policy);
    const stream = createInspector().open('output', policy.actsOnOutput, detectors);
    let length = 0;
    const waits = [...PROSE].map((letter) => {
      stream.push(letter);
      length += letter.length;
      return length - stream.settled;
    });
    expect(Math.max(...waits)).toBeLessThanOrEqual(64);
    expect(waits.sort((a, b) => a - b)[Math.floor(waits.length / 2)]).toBeLessThanOrEqual(16);
  });

  it('leaves whole where a piece ends between two words', () => {
    const policy = new Policy({});
    const stream = createInspector().open('output', policy.actsOnOutput);
    const words = PROSE.split(/(?<= )/).slice(0, 20);
    let length = 0;
    const held = words.filter((word) => {
      stream.push(word);
      length += word.length;
      return stream.settled < length;
    });
    expect(held).toEqual([]);
  });
});

function lowerOutsideEscapes(pattern: string): string {
  return pattern.replace(/\\.|[A-Z]+/g, (part) => (part.startsWith('\\') ? part : part.toLowerCase()));
}
