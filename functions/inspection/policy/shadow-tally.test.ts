import { expect, it } from '@jest/globals';
import type { DetectedThreat } from '../../kernel/model/index.ts';
import { ShadowTally } from './shadow-tally.ts';

const threat = (rule: string, action: DetectedThreat['action'] = 'block') =>
  ({ rule, type: 'obfuscation', action }) as DetectedThreat;

it('a tally has findings that are not made in texts, by the decision of its policy', () => {
  const tally = new ShadowTally(() => 'flag');
  tally.add([{ rule: { id: 'pii/email', type: 'pii' }, score: 1 } as never], 'user');
  const threats = [threat('files/unreadable'), threat('moderation/hate', 'flag'), threat('files/noted', 'allow')];
  tally.addReported(threats, ({ rule }) => (rule === 'moderation/hate' ? 'allow' : 'block'));
  expect(tally.toRecord()).toEqual({ action: 'block', threats: { pii: 1, obfuscation: 1 } });
});
