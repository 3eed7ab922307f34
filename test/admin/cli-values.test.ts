import { expect, it } from '@jest/globals';
import { FILTERS, helpOf } from '../../bin/admin/command.ts';
import { COMMANDS } from '../../bin/admin/program.ts';
import * as values from '../../bin/admin/values.ts';
import { GROUPS, INTERVALS, MARKS } from '../../functions/core/model/analytics.ts';
import { ENVIRONMENTS, KEY_STATES, PERMISSIONS } from '../../functions/core/model/api-key.ts';
import { DELIVERY_STATES } from '../../functions/core/model/delivery.ts';
import { EVENT_TYPES } from '../../functions/core/model/event-types.ts';
import { DEFAULT_RATE_LIMIT, PERIODS } from '../../functions/core/model/key-limits.ts';

it('the values of options are those of the API', () => {
  expect({ ...values }).toMatchObject({
    ENVIRONMENTS: [...ENVIRONMENTS],
    PERMISSIONS: [...PERMISSIONS],
    KEY_STATES: [...KEY_STATES],
    DELIVERY_STATES: [...DELIVERY_STATES],
    GROUP_FIELDS: [...GROUPS],
    INTERVALS: [...INTERVALS],
    MARKS: [...MARKS, 'none'],
    WEBHOOK_EVENTS: EVENT_TYPES.filter((type) => type !== 'webhook.test'),
  });
});

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
  expect(help('usage', 'group-by')).toContain('keyId, environment, model');
  for (const option of Object.values(FILTERS)) expect(helpOf(option)).toMatch(/\.$/);
});
