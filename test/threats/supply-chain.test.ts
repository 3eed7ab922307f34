import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import packageJson from '../../package.json' with { type: 'json' };

interface Package {
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly link?: boolean;
  /** It came within another package, under that one's digest. */
  readonly inBundle?: boolean;
}

const root = path.resolve(import.meta.dirname, '../..');
/** What may be shipped: no licence that asks anything of those who only use the service. */
const SHIPPED = ['MIT', 'MIT-0', 'Apache-2.0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0'];
/** What may besides be used to build and to test. */
const FOR_BUILDING = [
  ...SHIPPED,
  'CC-BY-4.0',
  'CC0-1.0',
  'Unlicense',
  'MPL-2.0',
  'Python-2.0',
  'WTFPL',
  'Public Domain',
];
/** Run only by tests of their folder, which is not shipped; no shipped code imports them. */
const FOR_TESTS_ALONE = ['iam-policy', 'iam-simulate', 'iam-utils'].map(
  (name) => `node_modules/@cloud-copilot/${name}`,
);
/** Coding agents, which tests run as their users do, under their makers' terms. No code of ours imports or ships them. */
const AGENTS = 'test/agents/package-lock.json';
const locks = execFileSync('git', ['ls-files', '*package-lock.json'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n');

/** Whether an SPDX expression leaves a choice within the list: of `OR` one is enough, of `AND` all are needed. */
function isWithin(expression: string, allowed: readonly string[]): boolean {
  const plain = expression.replace(/[()]/g, '');
  return plain.split(' OR ').some((choice) => choice.split(' AND ').every((name) => allowed.includes(name.trim())));
}

describe.each(locks)('%s', (lock) => {
  const { packages } = JSON.parse(readFileSync(path.join(root, lock), 'utf8')) as {
    readonly packages: Readonly<Record<string, Package>>;
  };
  const installed = Object.entries(packages).filter(([name, { link }]) => name !== '' && link !== true);
  const isRoot = lock === 'package-lock.json';

  const testLicences = lock === AGENTS ? test.skip : test;
  testLicences('names for each package a licence that is allowed', () => {
    const refused = installed.filter(([name, { license = 'none', dev, devOptional }]) => {
      if (lock === 'test/deployment/package-lock.json' && FOR_TESTS_ALONE.includes(name)) return false;
      const isShipped = isRoot && dev !== true && devOptional !== true;
      return !isWithin(license, isShipped ? SHIPPED : FOR_BUILDING);
    });
    expect(refused.map(([name, { license }]) => `${name}: ${license}`)).toEqual([]);
  });

  test('takes each package from the registry, by its digest', () => {
    const others = installed.filter(
      ([, { resolved, integrity = '', inBundle }]) =>
        // Without an address it is the registry's own.
        (resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/')) ||
        (!integrity.startsWith('sha512-') && inBundle !== true),
    );
    expect(others.map(([name]) => name)).toEqual([]);
  });

  if (!isRoot) return;
  test('runs no code at installation', () => {
    const names = installed
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([name]) => name.split('node_modules/').at(-1) as string);
    const refused = Object.fromEntries(names.map((name) => [name, false]));
    expect(packageJson.allowScripts).toEqual(refused);
  });
});

test('a licence expression is parsed correctly', () => {
  expect(isWithin('(MIT OR GPL-3.0-or-later)', SHIPPED)).toBe(true);
  expect(isWithin('Apache-2.0 AND GPL-3.0-only', SHIPPED)).toBe(false);
  expect(isWithin('GPL-3.0-only', FOR_BUILDING)).toBe(false);
});
