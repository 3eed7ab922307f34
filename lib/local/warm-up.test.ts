import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { FairScheduler } from '../../functions/adapters/node/process-time.ts';
import { createInspector } from '../../functions/inspection/index.ts';
import { warmUp } from './warm-up.ts';

/** An inspector that counts the characters on each surface. */
function countingInspector() {
  const characters = { system: 0, user: 0, tool: 0, output: 0 };
  const inspector = createInspector([]);
  const inspect = inspector.inspectSteps.bind(inspector);
  inspector.inspectSteps = (text, surface, ...others) => {
    characters[surface] += text.length;
    return inspect(text, surface, ...others);
  };
  return { inspector, characters };
}

test('the pages of the documentation are inspected on each surface of a request', async () => {
  const { inspector, characters } = countingInspector();
  await warmUp(inspector, path.resolve(import.meta.dirname, '../../docs'), new FairScheduler());
  const { system, user, tool } = characters;
  expect(system + user + tool).toBeGreaterThan(60_000);
  expect(Math.min(system, user, tool)).toBeGreaterThan(5_000);
});

test('without the documentation nothing is inspected', async () => {
  const { inspector, characters } = countingInspector();
  const empty = await mkdtemp(path.join(tmpdir(), 'svc-no-docs-'));
  await warmUp(inspector, empty, new FairScheduler());
  await rm(empty, { recursive: true });
  expect(characters).toEqual({ system: 0, user: 0, tool: 0, output: 0 });
});
