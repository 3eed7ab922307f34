import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { adminEnvSchema } from '../../functions/admin-api/env.ts';
import { dashboardFilesEnvSchema } from '../../functions/dashboard-files/env.ts';
import { eventRelayEnvSchema } from '../../functions/event-relay/env.ts';
import { findingsExportEnvSchema } from '../../functions/findings-export/env.ts';
import { firstAdminKeyEnvSchema } from '../../functions/first-admin-key/env.ts';
import { gatewayEnvSchema } from '../../functions/gateway/env.ts';
import { keyWatchEnvSchema } from '../../functions/key-watch/env.ts';
import { originSecretEnvSchema } from '../../functions/origin-secret/env.ts';
import { syntheticCheckEnvSchema } from '../../functions/synthetic-check/env.ts';
import { prefixOf } from '../../functions/translation/providers/configured-providers.ts';
import { COMPATIBLE_PROVIDERS, PROVIDERS } from '../../functions/translation/providers/provider-list.ts';
import { usageCounterEnvSchema } from '../../functions/usage-counter/env.ts';
import { webhookDeliveryEnvSchema } from '../../functions/webhook-delivery/env.ts';
import { localEnvSchema } from '../../lib/local/local-env.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const page = read('docs/reference/settings.md');

/** The variables that a column of a section's table names; the first column is 0, the last -1. */
function variablesUnder(heading: string, column: number): string[] {
  const section = page.split(`## ${heading}\n`)[1]?.split(/^## /m)[0] ?? '';
  const cells = [...section.matchAll(/^\| (`.+) \|$/gm)].map(([, row = '']) => row.split(' | ').at(column) ?? '');
  const names = cells.flatMap((cell) => [...cell.matchAll(/`([A-Z]\w+)`/g)].map(([, name = '']) => name));
  return [...new Set(names)].sort();
}

describe('docs/reference/settings.md names every environment variable, and no other', () => {
  test('on one machine', () => {
    expect(variablesUnder('On one machine', 0)).toEqual(Object.keys(localEnvSchema.shape).sort());
  });

  test('of providers', () => {
    const named = /(?:'|baseUrls\.)((?:[A-Z]+_)+(?:ACCOUNTS|API_KEY|BASE_URL|API_VERSION|REGION))\b/g;
    const sources = [
      'functions/gateway/providers.ts',
      'functions/translation/providers/configured-providers.ts',
      'functions/translation/providers/provider-list.ts',
    ]
      .map(read)
      .join('');
    const compatible = new Set(COMPATIBLE_PROVIDERS.map(({ name }) => name));
    const own = PROVIDERS.filter(({ name }) => !compatible.has(name)).flatMap((entry) => [
      `${prefixOf(entry)}_API_KEY`,
      `${prefixOf(entry)}_BASE_URL`,
    ]);
    const providers = new Set([
      ...own,
      'CLAUDE_AWS_WORKSPACE_ID',
      ...[...sources.matchAll(named)].map(([, name]) => name),
    ]);
    const table = page.split('## Providers\n')[1]?.split(/^##/m)[0] ?? '';
    const listed = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)]);
    expect(listed.map(([, name]) => name).sort()).toEqual([...providers].sort());
  });

  test('in a deployment', () => {
    const shapes = [
      gatewayEnvSchema,
      adminEnvSchema,
      usageCounterEnvSchema,
      eventRelayEnvSchema,
      firstAdminKeyEnvSchema,
      ...findingsExportEnvSchema.options,
      keyWatchEnvSchema,
      syntheticCheckEnvSchema,
      webhookDeliveryEnvSchema,
      originSecretEnvSchema,
      dashboardFilesEnvSchema,
    ].map(({ shape }) => shape);
    // Those of tables are one row.
    const schemas = shapes.flatMap((shape) => Object.keys(shape)).filter((name) => !/^SVC_[A-Z]+_TABLE$/.test(name));
    const named = [...variablesUnder('In a deployment', -1), ...variablesUnder('Set by the stacks', 0)];
    expect(named.sort()).toEqual([...new Set(schemas)].sort());
  });
});
