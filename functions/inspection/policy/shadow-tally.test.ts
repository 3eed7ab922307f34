import { expect, it } from '@jest/globals';
import type { DetectedThreat } from '../../kernel/model/index.ts';
import { ShadowTally } from './shadow-tally.ts';

const threat = (rule: string, fields: Partial<DetectedThreat> = {}) =>
  ({ rule, type: 'obfuscation', category: '', action: 'block', ...fields }) as DetectedThreat;

it('a tally has findings that only the report has, by the decision of its policy, and each once', () => {
  const tally = new ShadowTally(() => 'flag');
  tally.add([{ rule: { id: 'pii/email', type: 'pii' }, score: 1 } as never], 'user');
  const asked: string[] = [];
  tally.addReported(
    [
      threat('files/unreadable'),
      threat('outside/azure', { type: 'jailbreak', action: 'flag' }),
      // Counted with its text.
      threat('pii/email', { type: 'pii' }),
      // Counted with the call.
      threat('tool-misuse/instructed-call', { type: 'tool_misuse', category: 'instructed_call' }),
      // Only recorded.
      threat('pii/phone', { type: 'pii', action: 'allow' }),
      threat('tool-misuse/tool-changed', { type: 'tool_misuse', category: 'tool_changed' }),
    ],
    ({ rule }) => {
      asked.push(rule);
      return rule === 'outside/azure' ? 'allow' : 'block';
    },
  );
  expect(asked).toEqual(['files/unreadable', 'outside/azure', 'tool-misuse/tool-changed']);
  expect(tally.toRecord()).toEqual({ action: 'block', threats: { pii: 1, obfuscation: 1, tool_misuse: 1 } });
});
