import { expect, it } from '@jest/globals';
import { helpOf } from '../../bin/admin/command.ts';
import { COMMANDS } from '../../bin/admin/program.ts';
import { PERMISSIONS } from '../../functions/kernel/model/index.ts';
import { DEFAULT_RATE_LIMIT, PERIODS } from '../../functions/kernel/model/key-limits.ts';

it('the help of an option has its values, units and default', () => {
  const help = (name: string, option: string) => {
    const shape = COMMANDS.find((command) => command.name === name)?.options[option];
    return shape === undefined ? '' : helpOf(shape);
  };
  expect(help('keys create', 'permissions')).toContain(PERMISSIONS.join(', '));
  expect(help('keys create', 'environment')).toContain(
    'A new key has Development. One of: Production, Staging, Development.',
  );
  for (const period of PERIODS) expect(help('keys create', 'rate')).toContain(period);
  expect(help('keys create', 'rate')).toContain(`${DEFAULT_RATE_LIMIT.requests}/${DEFAULT_RATE_LIMIT.period}`);
  expect(help('webhooks create', 'events')).toMatch(/threat\.detected, .*session\.flagged/);
  expect(help('usage', 'group-by')).toContain('keyId, teamId, environment, model');
  for (const { options } of COMMANDS)
    for (const option of Object.values(options)) expect(helpOf(option)).toMatch(/\.$/);
});
