import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { goalsSection, withGoals } from './goals.ts';

test('bench/results.md has the recorded figures of each bench', () => {
  const page = readFileSync(new URL('../results.md', import.meta.url), 'utf8');
  expect(page).toContain('\n## Goals\n');
  expect(withGoals(page)).toBe(page);
});

test('a goal is met at its limit, and a missed one shows by how much', () => {
  const goals = [
    { name: 'CPU', measured: 2, limit: 2, unit: 'ms' },
    { name: 'Memory', measured: 201, limit: 200, unit: 'MB', at: 'with streams' },
    { name: 'Speed', measured: 1.5, limit: 2, isLeast: true },
  ];
  const section = goalsSection({ load: { date: '2026-01-02', load: 0.4, goals } });
  expect(
    section
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .slice(2),
  ).toEqual([
    '| CPU | at most 2 ms | 2.00 ms | met | [load](results.md) |',
    '| Memory | at most 200 MB | 201 MB, with streams | **not met**: 1.00 times the limit | [load](results.md) |',
    '| Speed | at least 2 | 1.50 | **not met**: 0.75 times the limit | [load](results.md) |',
  ]);
  expect(section).toContain('1 of 3 are met.');
  expect(section).toContain('load 2026-01-02 (0.4).');
});
