import * as z from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import { defineOperations } from './operation.ts';

export const settingsSchema = z
  .object({
    object: z.literal('settings'),
    version: z.string(),
    stage: z.enum(['Production', 'Staging', 'Development', 'local']),
    demo: z.literal(true).optional().meta({ description: 'Only of `svc start --demo`.' }),
    region: z.string().nullable(),
    stores: z.object({
      database: z.enum(['dynamodb', 'embedded', 'custom']),
      queues: z.enum(['sqs', 'embedded', 'custom']),
      dataFolder: z.string().nullable().meta({ description: 'Of embedded stores.' }),
    }),
    retentionDays: z.object({
      records: z.int(),
      captures: z.int(),
      aggregates: z.int(),
      deliveries: z.int(),
      audit: z.int(),
    }),
    defaultMaxConcurrent: z.int().meta({ description: '`maxConcurrent` of a key that is created without it.' }),
    singleSignOn: z.string().nullable().meta({ description: 'Its label; null if keys are the only way to sign in.' }),
    corsOrigins: z.array(z.string()),
    onlyThroughDistribution: z.boolean(),
    echo: z.boolean(),
    prices: z.object({
      date: z.string().meta({ description: 'Date of the built-in price table.' }),
      own: z.int().meta({ description: 'Prices that the deployment sets.' }),
    }),
  })
  .meta({ id: 'Settings', description: 'How the deployment is set up, without any secret.' });
export type Settings = z.infer<typeof settingsSchema>;
const example = {
  object: 'settings',
  version: packageJson.version,
  stage: 'Production',
  region: 'eu-central-1',
  stores: { database: 'dynamodb', queues: 'sqs', dataFolder: null },
  retentionDays: { records: 30, captures: 7, aggregates: 400, deliveries: 30, audit: 2557 },
  singleSignOn: null,
  corsOrigins: [],
  onlyThroughDistribution: true,
  echo: false,
  prices: { date: '2026-11-10', own: 2 },
  defaultMaxConcurrent: 50,
};

/** How the deployment is set up. */
export const settingsOperations = defineOperations({
  getSettings: {
    method: 'GET',
    path: '/v1/admin/settings',
    tag: 'Admin',
    summary: 'Read how the deployment is set up',
    description: 'Without any secret.',
    access: 'admin',
    scope: 'deployment',
    response: { description: 'The settings.', body: settingsSchema, example },
  },
});
