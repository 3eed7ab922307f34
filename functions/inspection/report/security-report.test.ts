import { expect, it } from '@jest/globals';
import type { Finding, Rule } from '../matching/index.ts';
import { SecurityReport } from './security-report.ts';

const rule = {
  id: 'test/rule',
  type: 'secret',
  category: 'test',
  severity: 'low',
  message: '',
  owasp: '',
  atlas: null,
};
const finding: Finding = { rule: rule as Rule, score: 1, start: 0, end: 9, decodedFrom: [], evidence: 'a***b' };

it('includes evidence for the caller, but not in events', () => {
  const report = new SecurityReport();
  report.add(finding, 'flag', { part: 'input', message: 0, field: 'messages[0].content', start: 0, end: 9 });
  expect(report.shownThreats).toMatchObject([{ rule: 'test/rule', evidence: 'a***b' }]);
  expect(report.threats).toMatchObject([{ rule: 'test/rule' }]);
  expect(JSON.stringify(report.threats)).not.toContain('a***b');
});

it('has the threat score of the likeliest attack, also if it acts by a lower score', () => {
  const report = new SecurityReport();
  const attack = { ...finding, rule: { ...rule, type: 'jailbreak' } as Rule, score: 0.59 };
  const location = { part: 'input', message: 0, field: 'messages[0].content', start: 0, end: 9 } as const;
  report.add(attack, 'flag', location);
  expect(report.threatScore).toBe(0.59);
  report.add({ ...attack, likelihood: 0.9 }, 'flag', location);
  expect([report.threatScore, report.scores.jailbreak]).toEqual([0.9, 0.9]);
  expect(report.threats.map(({ score }) => score)).toEqual([0.59, 0.59]);
});
