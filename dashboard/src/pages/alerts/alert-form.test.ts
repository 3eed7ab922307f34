import { describe, expect, test } from '@jest/globals';
import { type Alert, fieldsOf, toAlertBody, toAlertForm } from './alert-form.ts';

const ALERT: Alert = {
  id: 'alert_1',
  object: 'alert',
  name: 'Errors',
  metric: 'errorRate',
  compare: 'below',
  threshold: 0.5,
  minutes: 60,
  minRequests: 5,
  scope: { teamId: 'team_1', provider: 'openai' },
  targets: [{ webhookId: 'wh_1' }, { snsTopicArn: 'arn:aws:sns:eu-central-1:123456789012:alerts' }],
  silencedUntil: null,
  state: 'ok',
  since: null,
  createdAt: '2026-11-30T09:00:00.000Z',
};

describe('the form of an alert', () => {
  test('has what the alert has, and makes the same of it', () => {
    const { id: _, object: __, state: ___, since: ____, createdAt: _____, ...settings } = ALERT;
    expect(toAlertBody(toAlertForm(ALERT))).toEqual({ body: settings });
  });

  test('of a new one needs a name and a threshold', () => {
    const form = toAlertForm();
    expect(toAlertBody(form)).toEqual({ fault: { param: 'name', message: 'Enter a name.' } });
    expect(toAlertBody({ ...form, name: 'A' })).toEqual({
      fault: { param: 'threshold', message: 'Enter the threshold.' },
    });
    expect(toAlertBody({ ...form, name: 'A', threshold: 1, webhookIds: ['wh_1'] })).toEqual({
      body: {
        name: 'A',
        metric: 'errorRate',
        compare: 'above',
        threshold: 1,
        minRequests: 20,
        scope: {},
        targets: [{ webhookId: 'wh_1' }],
        silencedUntil: null,
      },
    });
  });

  test('sends to topics of SNS that are entered, and offers teams by name', () => {
    const arn = 'arn:aws:sns:eu-central-1:123456789012:alerts';
    const form = { ...toAlertForm(), name: 'A', threshold: 1, webhookIds: ['wh_1'], snsTopicArns: [arn] };
    expect(toAlertBody(form)).toMatchObject({ body: { targets: [{ webhookId: 'wh_1' }, { snsTopicArn: arn }] } });
    const [team] =
      fieldsOf(form, [], [{ id: 'team_1', name: 'Shop' }]).find(({ name }) => name === 'scope')?.fields ?? [];
    expect(team).toMatchObject({
      ...{ name: 'teamId', kind: 'select', choices: ['', 'team_1'] },
      choiceLabels: { '': 'All teams', team_1: 'Shop' },
    });
  });

  test('asks for a type of findings only where they are counted', () => {
    const form = { ...toAlertForm(), name: 'A', threshold: 1 };
    const scopeOf = (metric: string) =>
      fieldsOf({ ...form, metric }, [])
        .find(({ name }) => name === 'scope')
        ?.fields?.map(({ name }) => name);
    expect([scopeOf('errorRate'), scopeOf('findings')]).toEqual([
      ['teamId', 'keyId', 'model', 'provider'],
      ['teamId', 'keyId', 'model', 'provider', 'threatType'],
    ]);
    expect(toAlertBody({ ...form, metric: 'findings' })).toMatchObject({
      body: { scope: { threatType: 'prompt_injection' } },
    });
  });
});
