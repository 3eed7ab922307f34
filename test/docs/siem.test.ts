import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { faultsOf } from '../../functions/control/findings/ocsf-schema.fixture.ts';

test('the finding in docs/siem.md is valid OCSF, without text of the request', () => {
  const page = readFileSync(new URL('../../docs/siem.md', import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => JSON.parse(json));
  const [finding, ...others] = blocks.filter((block) => 'class_uid' in block);
  expect(others).toEqual([]);
  expect(faultsOf(finding)).toEqual([]);
  expect(JSON.stringify(finding)).not.toContain('gnore all');
});
