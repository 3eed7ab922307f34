import { expect, it } from '@jest/globals';
import type { Finding } from './finding.ts';
import type { Rule } from './rule.ts';
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
