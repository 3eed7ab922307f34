import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { FairScheduler } from '../../functions/adapters/node/process-time.ts';
import { Inspector } from '../../functions/inspection/index.ts';
import type { Surface } from '../../functions/kernel/model/index.ts';
import { warmUp } from './warm-up.ts';

class CountingInspector extends Inspector {
  readonly characters = { system: 0, user: 0, tool: 0, output: 0 };

  override inspectSteps(...[text, surface, ...others]: Parameters<Inspector['inspectSteps']>) {
    this.characters[surface as Surface] += text.length;
    return super.inspectSteps(text, surface, ...others);
  }
}

test('the pages of the documentation are inspected on each surface of a request', async () => {
  const inspector = new CountingInspector([]);
  await warmUp(inspector, path.resolve(import.meta.dirname, '../../docs'), new FairScheduler());
  const { system, user, tool } = inspector.characters;
  expect(system + user + tool).toBeGreaterThan(60_000);
  expect(Math.min(system, user, tool)).toBeGreaterThan(5_000);
});

test('without the documentation nothing is inspected', async () => {
  const inspector = new CountingInspector([]);
  const empty = await mkdtemp(path.join(tmpdir(), 'svc-no-docs-'));
  await warmUp(inspector, empty, new FairScheduler());
  await rm(empty, { recursive: true });
  expect(inspector.characters).toEqual({ system: 0, user: 0, tool: 0, output: 0 });
});
