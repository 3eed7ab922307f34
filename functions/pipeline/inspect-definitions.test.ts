import { expect, it } from '@jest/globals';
import { policyOf } from '../inspection/index.ts';
import { StoreUnavailable } from '../kernel/errors/index.ts';
import { readJsonDocument } from '../kernel/json/index.ts';
import { inspectDefinitions } from './inspect-definitions.ts';
import { runningRequest } from './running-request.fixture.ts';

const scheduler = { cpuMs: () => 0, monotonic: () => 0, nextTurn: async () => {} };
const toolPins = {
  check: async () => {
    throw new StoreUnavailable('limits table');
  },
};
const NOT_READ = 'tools: pins not read in time';

async function inspect(pin: 'off' | 'flag' | 'block', body: object) {
  const document = readJsonDocument(JSON.stringify(body));
  const request = runningRequest();
  const policy = policyOf({ tools: { pin } });
  const block = await inspectDefinitions(
    request.outcome,
    { document, policy, keyId: 'key_1' },
    { toolPins, scheduler },
  );
  const { coverage, detectorFailures, findings } = request.outcome.inspection;
  return { block, skipped: coverage.skipped, failures: detectorFailures, action: findings.action };
}

it.each([
  ['off', undefined, [], 'allow'],
  ['flag', undefined, [NOT_READ], 'allow'],
  ['block', { field: undefined, isTooCostly: false }, [NOT_READ], 'block'],
] as const)('a store that does not respond, with pins that %s', async (pin, block, missing, action) => {
  const tools = [{ type: 'function', function: { name: 'send' } }];
  expect(await inspect(pin, { tools })).toEqual({ block, skipped: missing, failures: missing, action });
});

it('is not asked without tools', async () => {
  expect(await inspect('block', {})).toMatchObject({ block: undefined, skipped: [] });
});

it('names at most 20 tools that it does not compare', async () => {
  const tools = Array.from({ length: 22 }, () => ({ type: 'web_search' }));
  const { skipped } = await inspect('flag', { tools });
  expect(skipped).toHaveLength(21);
  expect(skipped.at(-1)).toBe('2 more tools: definition not in the request');
});
