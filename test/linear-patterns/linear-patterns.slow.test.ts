import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { installOwn } from '../support/own-suite.mjs';
import { ACCEPTED_BUILDERS, ACCEPTED_PATTERNS, type AcceptedPattern } from './accepted-patterns.ts';
import { collectPatterns, type SourcePattern } from './collect-patterns.ts';
import { findSlowPatterns } from './find-slow-patterns.ts';

/**
 * Rules' patterns run on the engine of inspection/pattern-engine, linear by construction. What runs on V8's backtracking engine
 * instead, every RegExp literal of what is deployed, is proved here one by one.
 */
const ROOT = path.resolve(import.meta.dirname, '../..');
const NOT_SHIPPED = /\.(?:test|fixture|examples)\.ts$/;
/** Of time that no idle machine needs: the checker is the slowest thing here, and its own limit is generous too. */
const LONG = 600_000;

const uses = readdirSync(path.join(ROOT, 'functions'), { recursive: true, encoding: 'utf8' })
  .map((name) => `functions/${name.replaceAll(path.sep, '/')}`)
  .filter((file) => file.endsWith('.ts') && !NOT_SHIPPED.test(file) && !file.includes('node_modules/'))
  .map((file) => ({ file, ...collectPatterns(file, readFileSync(path.join(ROOT, file), 'utf8')) }));
const literals = uses.flatMap((use) => use.literals);

beforeAll(() => installOwn(import.meta.dirname), LONG);

describe('regular expressions of deployed code', () => {
  it(
    'take linear time on any input, but for those accepted with a reason',
    () => {
      expect(literals.length).toBeGreaterThan(50);
      const judged = literals.filter((literal) => !ACCEPTED_PATTERNS.some((accepted) => isOf(accepted, literal)));
      expect(findSlowPatterns(judged)).toEqual([]);
    },
    LONG,
  );

  it('are literals, except for those accepted with a reason', () => {
    const builders = uses.filter(({ built }) => built > 0).map(({ file }) => file);
    expect(builders.sort()).toEqual(ACCEPTED_BUILDERS.map(({ file }) => file).sort());
  });

  it('still exist, for each accepted one', () => {
    expect(ACCEPTED_PATTERNS.filter((accepted) => !literals.some((literal) => isOf(accepted, literal)))).toEqual([]);
  });
});

describe('the checker', () => {
  it.each([
    ['nested repetition', 'const a = /^(?:a+)+$/;'],
    ['a run that is searched for from each of its characters', 'text.replace(/\\s+$/, "");'],
    ['adjoining runs of the same characters', 'class A { b = () => [/^\\d+\\d+x$/g] }'],
  ])(
    'finds %s',
    (_, code) => {
      expect(findSlowPatterns(collectPatterns('a.ts', code).literals)).toEqual([expect.stringContaining('a.ts: /')]);
    },
    LONG,
  );

  it('lets a linear pattern pass', () => {
    expect(findSlowPatterns(collectPatterns('a.ts', 'const a = /^[a-z]+=\\d+$/i;').literals)).toEqual([]);
  });

  it('detects patterns that are built at run time', () => {
    expect(collectPatterns('a.ts', 'new RegExp(a); RegExp(b, "g");').built).toBe(2);
  });
});

function isOf(accepted: AcceptedPattern, { file, source }: SourcePattern): boolean {
  return accepted.file === file && source.startsWith(accepted.begins);
}
