import * as z from 'zod';
import { keySchema, summarySchema } from '../kernel/model/index.ts';
import { groupByField, summaryQuerySchema } from './analytics-queries.ts';
import { keyExample } from './keys.ts';

const { environment, keyId, teamId, tag, model } = summaryQuerySchema.shape;
const GROUPS = ['teamId', 'keyId', 'model', 'provider', 'environment'] as const;
const { timeZone } = keySchema.shape.budget.unwrap().shape;

export const spendQuery = z.strictObject({
  month: z
    .string()
    .regex(/^20\d\d-(0[1-9]|1[0-2])$/, { error: 'must be a month such as 2026-11' })
    .optional()
    .meta({
      description: 'Such as `2026-11`. Default: the current one.',
      label: 'Month',
      hint: '2026-11',
      option: { name: 'month', format: 'text', value: 'YYYY-MM', help: 'A month. Default: the current one.' },
    }),
  timeZone: timeZone.meta({
    description: 'The IANA name of the time zone of the month. Default: UTC.',
    label: 'Time zone',
    hint: 'UTC',
    option: { name: 'time-zone', format: 'text', value: 'NAME', help: 'Such as Europe/Berlin. Default: UTC.' },
  }),
  groupBy: groupByField(
    GROUPS,
    'Also returns a row for each value of teamId, keyId, model, provider, environment or `tag:NAME`.',
  ),
  teamId,
  tag,
  keyId,
  environment,
  model,
  format: z
    .enum(['json', 'csv'])
    .default('json')
    .meta({
      description: '`csv`: a line for each group, else one line.',
      option: { name: 'format', format: 'text', value: 'WORD', help: 'csv prints a file for spreadsheets.' },
    }),
});

const usd = z.number().min(0).nullable();
const budgetSchema = z.object({
  usd: z.number(),
  period: z.string(),
  timeZone: z.string().optional(),
  monthUsd: z.number().meta({ description: 'As much of it as a month of this length has.' }),
});
const spendFields = z.object({
  ...summarySchema.pick({
    requests: true,
    tokens: true,
    unpriced: true,
    partlyPriced: true,
    unknownCharges: true,
    cache: true,
  }).shape,
  costUsd: summarySchema.shape.costUsd,
  previousUsd: usd.meta({ description: 'Cost of the whole month before; null if no price is known.' }),
  forecastUsd: usd.meta({
    description:
      'Cost at the end of the month, if the rest of it costs what the last seven days cost. null for a month that is over or has not begun, and without 24 hours of requests.',
  }),
  budget: budgetSchema.nullable().meta({
    description: 'Of the key, the team, or the keys with the tag; null for other groups, and without one.',
  }),
});
export const spendSchema = spendFields
  .extend({
    object: z.literal('analytics.spend'),
    month: z.string(),
    timeZone: z.string(),
    from: z.iso.datetime().meta({ description: 'The full hour (UTC) at or before the begin of the month.' }),
    to: z.iso.datetime().meta({ description: 'The full hour (UTC) at or before its end, not included.' }),
    groups: z
      .array(
        spendFields.extend({
          group: z.string().nullable().meta({ description: 'The value of `groupBy`; null for requests without one.' }),
          label: z.string().nullable().optional().meta({
            description:
              'With `keyId`: the name of the key, for the first hundred groups. With `teamId`: that of the team. null if there is none.',
          }),
        }),
      )
      .optional()
      .meta({ description: 'The highest cost first.' }),
  })
  .meta({ id: 'Spend', description: 'What a calendar month has cost.' });

const figures = {
  requests: 1204,
  tokens: { input: 812_004, output: 201_377 },
  unpriced: 3,
  partlyPriced: 0,
  unknownCharges: { tokens: 3 },
  costUsd: 24.2627,
  previousUsd: 30.12,
  forecastUsd: 33.9,
};
export const spendExample = {
  object: 'analytics.spend',
  month: '2026-11',
  timeZone: 'Europe/Berlin',
  from: '2026-10-31T23:00:00.000Z',
  to: '2026-11-30T23:00:00.000Z',
  ...figures,
  budget: null,
  groups: [
    {
      group: keyExample.id,
      label: keyExample.name,
      ...figures,
      budget: { usd: 30, period: 'calendarMonth', timeZone: 'Europe/Berlin', monthUsd: 30 },
    },
  ],
};
