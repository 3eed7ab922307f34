import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Settings } from '../../lib/settings/settings.ts';
import type { Template } from '../infra/lint-templates.ts';
import { settingChanges } from '../infra/setting-combinations.ts';
import { FULL, PLAIN, synthesize } from '../infra/synthesize.ts';
import { gapsPage } from './gaps-page.ts';
import { fillResources, lostOf } from './kept-data.ts';
import { type Moto, startMoto } from './moto.ts';
import { Deployment, regionOf, STACKS } from './stacks.ts';

const changes = settingChanges();
const FRONT_DOORS = changes.filter(({ name }) =>
  /^(distribution|domain|restApi|waf|onlyThroughDistribution) /.test(name),
);
const settings = new Map([
  ['plain', PLAIN],
  ['full', FULL],
  ...FRONT_DOORS.map((change) => [change.name, change.with] as const),
]);

const PAGE = path.join(import.meta.dirname, 'README.md');
const report = path.join(mkdtempSync(path.join(tmpdir(), 'svc-moto-')), 'report.json');
let moto: Moto;
beforeAll(async () => {
  moto = await startMoto(report);
});
afterEach(async () => {
  // Fails after the last test, which stops moto.
  await fetch(`${moto.url}/moto-api/reset`, { method: 'POST' }).catch(() => {});
});
afterAll(async () => {
  await moto?.stop();
  rmSync(path.dirname(report), { recursive: true });
});

test.each([...settings])('%s: every resource is created, and every output has a value', async (_name, chosen) => {
  const deployment = new Deployment(moto.url);
  await deployment.deploy(chosen);
  for (const stack of STACKS) {
    const template: Template | undefined = synthesize(chosen)[stack];
    if (template === undefined) continue;
    const created = await deployment.resources(chosen, stack);
    expect(created.map(({ LogicalResourceId }) => LogicalResourceId).sort()).toEqual(
      Object.keys(template.Resources).sort(),
    );
    expect(Object.keys(deployment.outputs(chosen, stack)).sort()).toEqual(Object.keys(template.Outputs ?? {}).sort());
    expect(
      Object.values(deployment.outputs(chosen, stack)).filter((value) => /None|\[object|undefined/.test(value)),
    ).toEqual([]);
  }
});

describe('data of the data stack stays', () => {
  const updates = changes.filter(
    (change) => change.with.stage === change.without.stage && regionOf(change.with) === regionOf(change.without),
  );

  test.each(updates.map((change) => [change.name, change] as const))(
    'when a setting is removed, added and removed again: %s',
    async (_name, change) => {
      const deployment = new Deployment(moto.url);
      const contents = new Map<string, Awaited<ReturnType<typeof fillResources>>>();
      for (const step of ['first', 'second']) {
        await deployment.deploy(change.with);
        const resources = await deployment.resources(change.with, 'data');
        contents.set(step, await fillResources(moto.url, regionOf(change.with), resources));
        await deployment.deploy(change.without);
        for (const reads of contents.values()) expect(await lostOf(reads)).toEqual([]);
      }
      expect(contents.get('first')?.size).toBeGreaterThan(15);
    },
  );

  test('when all stacks are deleted and deployed again', async () => {
    const deployment = new Deployment(moto.url);
    await deployment.deploy(FULL);
    const first = await fillResources(moto.url, regionOf(FULL), await deployment.resources(FULL, 'data'));
    for (const stack of [...STACKS].reverse()) await deployment.delete(FULL, stack);
    expect(await lostOf(first)).toEqual([]);
    await deployment.deploy(FULL);
    expect(await lostOf(first)).toEqual([]);
  });
});

describe('a stack whose creation failed can be deployed after its rollback', () => {
  const [domain] = FRONT_DOORS.filter(({ name }) => name === 'domain 2');
  const cases = [FULL, domain?.with as Settings].flatMap((chosen) =>
    STACKS.filter((stack) => synthesize(chosen)[stack] !== undefined).flatMap((stack) =>
      [0.1, 0.5, 1].map((share) => [stack, share, chosen] as const),
    ),
  );

  test.each(cases)('%s, after %d of its resources', async (stack, share, chosen) => {
    const templates = synthesize(chosen);
    const deployment = new Deployment(moto.url);
    const failing = { ...templates, [stack]: withFault(templates[stack] as Template, share) };
    await expect(deployment.deploy(chosen, failing)).rejects.toThrow();
    await deployment.delete(chosen, stack);
    await deployment.deploy(chosen);
    const created = await deployment.resources(chosen, stack);
    expect(created).toHaveLength(Object.keys((templates[stack] as Template).Resources).length);
  });
});

/** Last, because moto reports when it stops. `npm test moto -- --write` writes the page. */
test('the page lists what moto lacks', async () => {
  await moto.stop();
  const page = gapsPage(JSON.parse(readFileSync(report, 'utf8')));
  if (process.env.SVC_TEST_WRITE === '1') writeFileSync(PAGE, page);
  expect(readFileSync(PAGE, 'utf8')).toBe(page);
});

/** The template with a resource that SQS refuses, after a share of the others. */
function withFault(template: Template, share: number): Template {
  const resources = Object.entries(template.Resources);
  const fault: (typeof resources)[number] = [
    'Fault',
    { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'no/name' } },
  ];
  return {
    ...template,
    Resources: Object.fromEntries(resources.toSpliced(Math.floor(share * resources.length), 0, fault)),
  };
}
