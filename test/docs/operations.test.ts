import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { CONTAINER_METRICS } from '../../functions/gateway/env.ts';
import { METRICS } from '../../functions/kernel/model/index.ts';

const page = readFileSync(new URL('../../docs/reference/logs-and-metrics.md', import.meta.url), 'utf8');
const chapter = (heading: string) => page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';

test('the table of metrics names each, and no other', () => {
  const rows = [...chapter('Metrics').matchAll(/^\| (`[^|]+) \| [^|]+ \|/gm)].map(([, cell = '']) => cell);
  const named = rows.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
  const ofKinds = ['Threats.<type>.<action>', 'Limited.<kind>'];
  expect(named.sort()).toEqual([...Object.values(METRICS), ...Object.values(CONTAINER_METRICS), ...ofKinds].sort());
});

test('the table of log lines names each message that is written', () => {
  const source = readFileSync(new URL('../../functions/adapters/telemetry/json-log.ts', import.meta.url), 'utf8');
  const written = [...source.matchAll(/message: '([^']+)'/g)].map(([, message = '']) => message);
  const named = [...chapter('Logs').matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
  expect(named.sort()).toEqual(
    [...new Set([...written, 'record lost', 'capture lost', 'cached response lost', 'metrics'])].sort(),
  );
});
