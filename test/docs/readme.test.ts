import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { adminEnvSchema } from '../../functions/admin-api/env.ts';
import { dashboardFilesEnvSchema } from '../../functions/dashboard-files/env.ts';
import { eventRelayEnvSchema } from '../../functions/event-relay/env.ts';
import { findingsExportEnvSchema } from '../../functions/findings-export/env.ts';
import { firstAdminKeyEnvSchema } from '../../functions/first-admin-key/env.ts';
import { gatewayEnvSchema } from '../../functions/gateway/env.ts';
import { keyWatchEnvSchema } from '../../functions/key-watch/env.ts';
import { originSecretEnvSchema } from '../../functions/origin-secret/env.ts';
import { usageCounterEnvSchema } from '../../functions/usage-counter/env.ts';
import { webhookDeliveryEnvSchema } from '../../functions/webhook-delivery/env.ts';
import { localEnvSchema } from '../../lib/local/local-env.ts';
import commands from '../../scripts/commands.json' with { type: 'json' };

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const readme = read('README.md');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.join('docs', file)),
];

/** The variables that a table of the page names in its first column. */
function variablesUnder(heading: string): string[] {
  const section = readme.split(`### ${heading}\n`)[1]?.split(/^##/m)[0] ?? '';
  const firstCells = [...section.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = '']) => cell);
  return firstCells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
}

describe('the README names every environment variable, and no other', () => {
  test('on one machine', () => {
    const ours = Object.keys(localEnvSchema.shape);
    const named = /(?:'|baseUrls\.)((?:[A-Z]+_)+(?:API_KEY|BASE_URL|API_VERSION|REGION))\b/g;
    const providers = new Set([...read('functions/gateway/providers.ts').matchAll(named)].map(([, name]) => name));
    expect(ours.length).toBeGreaterThan(0);
    expect(variablesUnder('On one machine').sort()).toEqual([...ours, ...providers].sort());
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
      webhookDeliveryEnvSchema,
      originSecretEnvSchema,
      dashboardFilesEnvSchema,
    ].map(({ shape }) => shape);
    // Those of tables are one row.
    const schemas = shapes.flatMap((shape) => Object.keys(shape)).filter((name) => !/^SVC_[A-Z]+_TABLE$/.test(name));
    expect(variablesUnder('In a deployment').sort()).toEqual([...new Set(schemas)].sort());
  });
});

describe.each(pages)('%s', (page) => {
  const text = read(page);

  test('links only to what is there', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, link = '']) => link);
    const dead = links.filter((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? page : path.join(path.dirname(page), file);
      return !existsSync(path.join(root, target)) || (anchor !== undefined && !anchors(read(target)).includes(anchor));
    });
    expect(dead).toEqual([]);
  });

  test('names only npm scripts that are there', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...text.matchAll(/npm (?:run (?:--silent )?)([\w:-]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  test('names only benches, generators and test suites that are there', () => {
    const named = [...text.matchAll(/npm (?:run )?(?:--silent )?(bench|generate|test) ([a-z-]+)/g)];
    const unknown = named.filter(
      ([, group = '', name = '']) => !Object.hasOwn(commands[group as keyof typeof commands], name),
    );
    expect(unknown.map(([command]) => command)).toEqual([]);
  });

  test('names only files that are there', () => {
    const named = [...text.matchAll(/`((?:functions|lib|bin|test|scripts|bench|docs)\/[\w./-]+)`/g)].map(
      ([, file = '']) => file,
    );
    expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });
});

/** The anchors of a page's headings, as GitHub makes them. */
function anchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
