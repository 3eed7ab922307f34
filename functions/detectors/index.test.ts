import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { buildSync } from 'esbuild';
import fc from 'fast-check';
import { cutAt } from '../core/inspect/cut-at.fixture.ts';
import { compareFindings, type Finding } from '../core/inspect/finding.ts';
import { Inspector } from '../core/inspect/inspector.ts';
import type { Rule, RuleExamples } from '../core/inspect/rule.ts';
import { ALL_EXAMPLES } from './index.examples.ts';
import { ALL_RULES } from './index.ts';

const inspector = new Inspector(ALL_RULES);
const NONE: RuleExamples = { positives: [], negatives: [] };

function rulesThatTrigger(text: string, rule: Rule): string[][] {
  return rule.surfaces.map((surface) => {
    const found = inspector.inspect(text, surface).map((finding) => finding.rule);
    return [...new Set(found.filter(({ type }) => type === rule.type).map(({ id }) => id))];
  });
}

describe('the list of rules', () => {
  it('has examples for every rule, and for nothing else', () => {
    expect(Object.keys(ALL_EXAMPLES).sort()).toEqual(ALL_RULES.map(({ id }) => id).sort());
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
  const { positives, negatives, alongside = [] } = ALL_EXAMPLES[id] ?? NONE;

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
  const samples = Object.values(ALL_EXAMPLES).flatMap(({ positives, negatives }) => [
    ...positives,
    ...negatives.map(({ text }) => text),
  ]);
  const texts = fc.array(fc.constantFrom(...samples), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(' '));
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
      entryPoints: [path.join(import.meta.dirname, 'index.ts')],
      external: ['*.generated.json'],
      ...{ bundle: true, write: false, platform: 'node', format: 'esm', mainFields: ['module', 'main'] },
    });
    const code = outputFiles[0]?.text ?? '';
    expect(code).toContain('jailbreak/named-persona');
    const samples = Object.values(ALL_EXAMPLES).flatMap(({ positives, negatives }) => [
      ...positives,
      ...negatives.map(({ text }) => text),
    ]);
    expect(samples.filter((text) => /^[\w ,.]{24,}$/.test(text) && code.includes(text))).toEqual([]);
  });
});

function lowerOutsideEscapes(pattern: string): string {
  return pattern.replace(/\\.|[A-Z]+/g, (part) => (part.startsWith('\\') ? part : part.toLowerCase()));
}
