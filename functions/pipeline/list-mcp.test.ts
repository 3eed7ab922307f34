import { expect, it } from '@jest/globals';
import type { StoredMcpServer } from '../kernel/configuration/index.ts';
import type { McpItem } from '../translation/index.ts';
import { listMcp, type McpDeps, type McpStage, mayReach } from './list-mcp.ts';
import type { RunningRequest } from './request-outcome.ts';

const version = { digest: 'a'.repeat(64), fields: {} };
const serverOf = (name: string) =>
  ({ name, onChange: 'block', approved: { search: version } }) as unknown as StoredMcpServer;
const search: McpItem = {
  kind: 'tool',
  id: 'search',
  name: 'search',
  definition: { name: 'search' },
  version,
  mirrored: [],
};
const requestOf = (allowedTools: readonly string[], teamTools: readonly string[] = []) =>
  ({
    context: { key: { allowedTools, team: { allowedTools: teamTools } } },
    outcome: { times: { providerCalled: () => {} } },
  }) as unknown as RunningRequest;

it('a list of all servers has those that respond in time, and names the others', async () => {
  const never = new Promise<never>(() => {});
  const lists: Record<string, Promise<Map<string, McpItem>>> = {
    a: Promise.resolve(new Map([['search', search]])),
    late: never,
    broken: Promise.reject(new Error('x')),
    hidden: never,
  };
  let hasEnded = false;
  const deps = {
    mcp: {
      all: async () => Object.keys(lists).map(serverOf),
      list: ({ name }: { readonly name: string }) => lists[name],
    },
    breaker: { decide: () => 'call', failed: () => {} },
    clock: { monotonic: () => 0 },
    sleep: async (_: number, signal: AbortSignal) => {
      signal.addEventListener('abort', () => {
        hasEnded = true;
      });
      for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
    },
    toolNotices: { has: () => false, add: () => {} },
  } as unknown as McpDeps;
  const listing = { server: undefined, kind: 'tool', isModern: false } as const;
  const request = requestOf(['a/*', 'late/*', 'broken/s*']);
  expect(await listMcp(request, listing, {} as McpStage, deps)).toEqual({
    tools: [{ name: 'a__search' }],
    _meta: { 'svc/unavailable': ['broken', 'late'] },
  });
  expect(hasEnded).toBe(true);
});

it.each<[string[], string[], boolean]>([
  [[], [], true],
  [['*'], [], true],
  [['crm/search'], [], true],
  [['c*'], [], true],
  [['*search'], [], true],
  [['crm/*'], ['crm/prompt:*'], true],
  [['crm/*'], ['other/*'], false],
  [['crm'], [], false],
  [['crm2/*'], [], false],
  [['cr'], [], false],
])('a key with %j of a team with %j reaches the server crm: %s', (tools, teamTools, reaches) =>
  expect(mayReach(requestOf(tools, teamTools), { name: 'crm' })).toBe(reaches),
);
