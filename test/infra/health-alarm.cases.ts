import { describe, expect, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { type AlarmStates, isOn } from './alarm-rule.ts';
import {
  alarmsOf,
  CAUSES,
  compositesOf,
  nameOf,
  type Properties,
  SYMPTOMS,
  severityOf,
} from './operations-templates.ts';
import { PLAIN, synthesize } from './synthesize.ts';

describe('health', () => {
  const all = Template.fromJSON(synthesize({ ...PLAIN, restApi: true, publicFunctionUrls: true }).operations);
  const composite = (name: string) =>
    compositesOf(all).find(([id]) => id.startsWith(name))?.[1] as Properties & Record<string, unknown>;
  const namesIn = (name: string) =>
    alarmsOf(all).flatMap(([id]) =>
      JSON.stringify(composite(name).AlarmRule).includes(`"${id}"`) ? [nameOf(id)] : [],
    );

  test('is one alarm of those that affect clients, which pages', () => {
    expect(namesIn('Health').sort()).toEqual([...SYMPTOMS, 'GatewayThrottled'].sort());
    expect(composite('Health')).toMatchObject({
      AlarmActions: [{ Ref: expect.stringMatching(/^AlarmTopic/) }],
      OKActions: [{ Ref: expect.stringMatching(/^AlarmTopic/) }],
    });
    expect(severityOf(composite('Health').AlarmDescription)).toBe('page');
  });

  test('sends no message while a cause is on, which has paged itself', () => {
    const causes = namesIn('Cause');
    for (const cause of CAUSES) expect([cause, causes.some((name) => cause.test(name))]).toEqual([cause, true]);
    // Records and captured texts are written after the response: they explain no failure, and must not hide one.
    for (const name of causes) expect([name, CAUSES.some((cause) => cause.test(name))]).toEqual([name, true]);
    for (const [id, { AlarmDescription, AlarmActions }] of alarmsOf(all)) {
      if (causes.includes(nameOf(id)))
        expect([id, severityOf(AlarmDescription), AlarmActions]).toEqual([id, 'page', [expect.anything()]]);
    }
    expect(composite('Cause').AlarmActions).toBeUndefined();
    expect(composite('Health')).toMatchObject({
      ActionsSuppressor: { 'Fn::GetAtt': [expect.stringMatching(/^Cause/), 'Arn'] },
      // Alarms of five minutes go on up to this much later than the check's, and the symptoms end two periods after the cause.
      ActionsSuppressorWaitPeriod: 120,
      ActionsSuppressorExtensionPeriod: 600,
    });
  });
});

describe('while alarms change their states, health', () => {
  const all = Template.fromJSON(synthesize({ ...PLAIN, restApi: true, publicFunctionUrls: true }).operations);
  const [composites, alarms] = [compositesOf(all), alarmsOf(all)];
  const ids = alarms.map(([id]) => id);
  const named = (pattern: RegExp) => ids.filter((id) => pattern.test(nameOf(id)));
  const symptoms = named(new RegExp(`^(?:${SYMPTOMS.join('|')})$`));
  const causes = CAUSES.flatMap(named);
  const throttled = named(/^GatewayThrottled$/);

  /** The composite alarms that are on, and of these the ones that send messages, once the suppressor has had its time. */
  function inAlarm(...on: string[]): { on: string[]; sending: string[] } {
    const states: AlarmStates = Object.fromEntries(on.map((id) => [id, 'ALARM']));
    const found = composites.filter(([, { AlarmRule }]) => isOn(AlarmRule, states));
    const sending = found.filter(([, properties]) => {
      const { AlarmActions, ActionsSuppressor } = properties as Properties & {
        ActionsSuppressor?: { 'Fn::GetAtt': [string, string] };
      };
      const [suppressor] = ActionsSuppressor?.['Fn::GetAtt'] ?? [];
      return AlarmActions !== undefined && !found.some(([id]) => id === suppressor);
    });
    const names = (list: typeof found) => list.map(([id]) => nameOf(id)).sort();
    return { on: names(found), sending: names(sending) };
  }

  test('is silent without a symptom, and pages once for each of them and for all', () => {
    expect(symptoms).toHaveLength(SYMPTOMS.length);
    expect(inAlarm()).toEqual({ on: [], sending: [] });
    for (const on of [...symptoms.map((id) => [id]), symptoms])
      expect([on, inAlarm(...on)]).toEqual([on, { on: ['Health'], sending: ['Health'] }]);
  });

  test('is on and sends nothing while a symptom has a cause, whichever', () => {
    expect(causes.length).toBeGreaterThan(7);
    for (const cause of causes) {
      for (const symptom of symptoms) {
        const seen = inAlarm(cause, symptom);
        expect([cause, symptom, seen]).toEqual([cause, symptom, { on: ['Cause', 'Health'], sending: [] }]);
      }
    }
  });

  test('pages again once the cause is over, and a cause without a symptom turns nothing else on', () => {
    for (const cause of causes.filter((id) => !throttled.includes(id)))
      expect([cause, inAlarm(cause)]).toEqual([cause, { on: ['Cause'], sending: [] }]);
    expect(inAlarm(...throttled)).toEqual({ on: ['Cause', 'Health'], sending: [] });
    expect(inAlarm(symptoms[0] as string).sending).toEqual(['Health']);
  });

  test('is hidden by no other alarm', () => {
    const others = ids.filter((id) => !causes.includes(id));
    expect(others.length).toBeGreaterThan(20);
    for (const other of others)
      expect([other, inAlarm(symptoms[0] as string, other).sending]).toEqual([other, ['Health']]);
  });

  test('counts alarms without data as off', () => {
    const states: AlarmStates = Object.fromEntries(ids.map((id) => [id, 'INSUFFICIENT_DATA']));
    expect(composites.filter(([, { AlarmRule }]) => isOn(AlarmRule, states))).toEqual([]);
  });
});
