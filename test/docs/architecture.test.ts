import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import packageJson from '../../package.json' with { type: 'json' };

const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');

it('the architecture page gives a reason for each production dependency, and for no other package', () => {
  const table = /## Production dependencies\n([\s\S]*?)\n##/.exec(page)?.[1] ?? '';
  const named = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  expect(named.sort()).toEqual(Object.keys(packageJson.dependencies).sort());
});
