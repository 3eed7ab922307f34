import { describe, expect, it, test } from '@jest/globals';
import { outsideMessages, type PolicySettings, type Surface } from '../../kernel/model/index.ts';
import { inspectInputNow } from '../input/index.ts';
import { Policy, Redaction, underPolicy } from '../policy/index.ts';
import { InspectionReport, withExamples } from '../report/index.ts';
import { createInspector } from './index.ts';

const inspector = createInspector();
const AWS_ID = 'AKIAIOSFODNN7EXAMPLE';
const SSN = '078-05-1120';

const found = (text: string, surface: Surface = 'user') =>
  inspector.findExamples(text, surface).map(({ rule, start, end, score }) => [rule.id, text.slice(start, end), score]);

/** The report of a user's text and its listed findings with the examples. */
function guard(text: string, settings: PolicySettings = {}) {
  const policy = new Policy(settings);
  const own = underPolicy(inspector, policy, undefined);
  const inspection = new InspectionReport();
  const texts = [outsideMessages(['input'], text, 'user')];
  inspectInputNow({ own: { texts, skipped: [] }, policy, redaction: new Redaction('test') }, own, inspection);
  const report = inspection.findings;
  return { report, threats: withExamples(report.shownThreats, texts, own, policy) };
}

describe('documented examples', () => {
  it.each([
    ['secrets/aws-access-key', AWS_ID],
    ['secrets/aws-access-key', 'AKIAI44QH8DHBEXAMPLE'],
    ['secrets/aws-access-key', 'ASIAIOSFODNN7EXAMPLE'],
    ['secrets/aws-secret-key', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'],
    ['secrets/aws-secret-key', 'je7MtGbClwBF/2Zp9Utk/h3yCo8nvbEXAMPLEKEY'],
    ['secrets/stripe-webhook-secret', `whsec_MfKQ9r8GKYqrTwj${'UPD8ILPZIo2LaLaSw'}`],
    [
      'secrets/jwt',
      [btoa('{"alg":"HS256"}'), btoa('{"sub":"123456"}'), 'SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c']
        .map((part) => part.replaceAll('=', ''))
        .join('.'),
    ],
    ['personal-data/us-ssn', SSN],
    ['personal-data/us-ssn', '078051120'],
    ['personal-data/us-ssn', '219 09 9999'],
    ['personal-data/payment-card', '4242 4242 4242 4242'],
    ['personal-data/payment-card', '5555-5555-5555-4444'],
    ['personal-data/payment-card', '378282246310005'],
    ['personal-data/iban', 'DE89 3704 0044 0532 0130 00'],
    ['personal-data/iban', 'gb29nwbk60161331926819'],
    ['personal-data/iban', 'GB33BUKB20201555555555'],
    ['personal-data/phone', '202-555-0143'],
    ['personal-data/phone', '(212) 555-0199'],
    ['personal-data/phone', '+1 415 555 0132'],
    ['personal-data/phone', '+15005550006'],
    ['personal-data/phone', '020 7946 0958'],
    [
      'secrets/azure-storage-key',
      ['Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErC', 'z4I6tq/K1SZFPTOtr/KBHBeksoGMGw'].join(''),
    ],
    ['secrets/stripe-test-key', ['sk_test_', '4eC39HqLyjWDarjtT1zdp7dc'].join('')],
  ])('are no findings, and found as examples by the rule of the real value: %s %s', (rule, value) => {
    expect(found(`It is ${value}.`)).toEqual([[rule, value, 0]]);
    expect(found(value)).toEqual([[rule, value, 0]]);
    const findings = (['user', 'tool', 'output'] as const).flatMap((surface) =>
      inspector.inspect(`It is ${value}.`, surface),
    );
    expect(findings.filter((finding) => ['pii', 'secret'].includes(finding.rule.type))).toEqual([]);
  });

  it.each([
    ['a longer key', `X${AWS_ID}`],
    ['a longer end', `${AWS_ID}S`],
    ['another prefix', 'BKIAIOSFODNN7EXAMPLE'],
    ['another number', '078-05-1121'],
    ['a longer number', '1078-05-11201'],
    ['a real form', 'AKIAQ3EGRVWXYZ2345KL'],
    ['the word', 'an EXAMPLE of AKIA'],
  ])('are not %s', (_, text) => {
    expect(found(text)).toEqual([]);
  });

  it('are listed by position, and repeated values each', () => {
    expect(found(`${SSN} ${AWS_ID} ${SSN}`).map(([rule]) => rule)).toEqual([
      'personal-data/us-ssn',
      'secrets/aws-access-key',
      'personal-data/us-ssn',
    ]);
  });

  it('follow the surfaces of their rules', () => {
    expect(found(SSN, 'system')).toEqual([]);
    expect(found(AWS_ID, 'system')).toHaveLength(1);
    expect(found(`${SSN} ${AWS_ID}`, 'output')).toHaveLength(2);
  });

  it('are listed with score 0 and allowed, and change nothing else', () => {
    const text = `Key ${AWS_ID}, SSN ${SSN}`;
    const { report, threats } = guard(text, { preset: 'strict' });
    expect(
      threats.map(({ example, score, action, severity, rule, location }) => ({
        example,
        score,
        action,
        severity,
        rule,
        at: location.start,
      })),
    ).toEqual([
      { example: true, score: 0, action: 'allow', severity: 'low', rule: 'secrets/aws-access-key', at: 4 },
      { example: true, score: 0, action: 'allow', severity: 'low', rule: 'personal-data/us-ssn', at: 30 },
    ]);
    expect([report.action, report.threats, report.counts]).toEqual(['allow', [], {}]);
    expect(report.scores).toMatchObject({ secret: 0, pii: 0 });
    expect(JSON.stringify(threats)).not.toMatch(/AKIA|078/);
  });

  it('do not hide a real value beside them', () => {
    const real = ['AKIA', 'Q3EGRVWM5Z2T45KL'].join('');
    const { report, threats } = guard(`${AWS_ID} ${real}`);
    expect(report.action).toBe('flag');
    expect(threats.map(({ rule, example, location }) => [rule, example, location.start])).toEqual([
      ['secrets/aws-access-key', undefined, 21],
      ['secrets/aws-access-key', true, 0],
    ]);
  });

  test('a finding that covers one replaces it', () => {
    const { threats } = guard(`x ${AWS_ID}`, { rules: [{ id: 'ours', literals: [AWS_ID], action: 'block' }] });
    expect(threats.map(({ rule, example }) => [rule, example])).toEqual([['custom/ours', undefined]]);
  });

  test('a finding beside one does not replace it', () => {
    const rules = [{ id: 'ours', literals: ['key=', '.end'], action: 'flag' as const }];
    const { threats } = guard(`key=${AWS_ID}.end`, { rules });
    expect(threats.map(({ rule, example }) => [rule, example])).toEqual([
      ['custom/ours', undefined],
      ['custom/ours', undefined],
      ['secrets/aws-access-key', true],
    ]);
  });

  it('are not listed where the policy allows them or ignores their type', () => {
    expect(guard(`${AWS_ID} ${SSN}`, { allow: [{ literal: AWS_ID }] }).threats.map(({ rule }) => rule)).toEqual([
      'personal-data/us-ssn',
    ]);
    expect(guard(AWS_ID, { input: { secret: { action: 'off' } } }).threats).toEqual([]);
    expect(guard(AWS_ID, { output: { secret: { action: 'off' } } }).threats).toHaveLength(1);
  });

  it('are at most 50 together with the findings', () => {
    const { threats } = guard(`SVC-TEST-FLAG-7f3a ${`${SSN} `.repeat(60)}`);
    expect(threats).toHaveLength(50);
    expect(threats.filter(({ example }) => example)).toHaveLength(49);
  });
});
