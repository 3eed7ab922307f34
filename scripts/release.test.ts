import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';

const RELEASE = path.join(import.meta.dirname, 'release.mjs');
const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n## 0.3.1 - 2026-12-01\n\n### Fixed\n\n- A fault.\n\n## 0.3.2 - 2026-12-02\n';
const NOTE = "node -e \"require('node:fs').appendFileSync('ran.txt', process.env.npm_lifecycle_event + ' ')\"";
const WHO = { name: 'Test', email: 'test@example.com' };
const ENV = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: WHO.name,
  GIT_AUTHOR_EMAIL: WHO.email,
  GIT_COMMITTER_NAME: WHO.name,
  GIT_COMMITTER_EMAIL: WHO.email,
};

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'svc-release-command-'));
  const scripts = { test: NOTE, generate: NOTE, pack: NOTE };
  write('package.json', JSON.stringify({ name: 'a', version: '0.3.0', scripts }));
  write('package-lock.json', JSON.stringify({ name: 'a', version: '0.3.0', lockfileVersion: 3, packages: { '': {} } }));
  write('CHANGELOG.md', CHANGELOG);
  write('.gitignore', 'ran.txt\n');
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '.');
  git('commit', '--quiet', '--message', 'feat: all');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
const git = (...args: readonly string[]) =>
  execFileSync('git', args, { cwd: folder, encoding: 'utf8', env: ENV }).trim();
const release = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [RELEASE, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: ENV,
  });
  return { status, stdout, stderr };
};

it('tests, sets the version, packs, commits and tags', () => {
  const { status, stdout } = release('0.3.1');
  expect(status).toBe(0);
  expect(stdout).toContain('Publish it: git push origin main v0.3.1');
  expect(read('ran.txt')).toBe('test generate generate pack ');
  expect([JSON.parse(read('package.json')).version, JSON.parse(read('package-lock.json')).version]).toEqual([
    '0.3.1',
    '0.3.1',
  ]);
  expect(git('log', '--format=%s')).toBe('chore(release): 0.3.1\nfeat: all');
  expect(git('rev-parse', 'v0.3.1^{commit}')).toBe(git('rev-parse', 'HEAD'));
  expect(git('status', '--porcelain')).toBe('');
});

it('with --dry-run changes nothing', () => {
  const { status, stdout } = release('0.3.1', '--dry-run');
  expect([status, stdout]).toEqual([0, expect.stringContaining('git tag --annotate v0.3.1')]);
  expect([git('status', '--porcelain', '--ignored'), git('log', '--format=%s'), git('tag')]).toEqual([
    '',
    'feat: all',
    '',
  ]);
});

it('leaves the repository as it was if a step fails', () => {
  const failing = { test: NOTE, generate: NOTE, pack: 'exit 3' };
  write('package.json', JSON.stringify({ name: 'a', version: '0.3.0', scripts: failing }));
  git('commit', '--quiet', '--all', '--message', 'feat: more');
  const { status, stderr } = release('0.3.1');
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining('The release was stopped: Command failed: npm run pack'),
  ]);
  expect([git('status', '--porcelain'), git('log', '-1', '--format=%s'), git('tag')]).toEqual(['', 'feat: more', '']);
  expect(JSON.parse(read('package.json')).version).toBe('0.3.0');
});

it.each<[string, () => unknown, string, string]>([
  ['another branch', () => git('checkout', '--quiet', '-b', 'next'), '0.3.1', 'this is next'],
  ['changes', () => write('new.txt', ''), '0.3.1', 'not committed'],
  ['a tag that exists', () => git('tag', 'v0.3.1'), '0.3.1', 'The tag v0.3.1 exists.'],
  ['a version that CHANGELOG.md lacks', () => {}, '0.4.0', 'CHANGELOG.md has no changes under "## 0.4.0 - '],
  ['a version without changes', () => {}, '0.3.2', 'CHANGELOG.md has no changes under "## 0.3.2 - '],
  ['an older version', () => {}, '0.2.9', 'older than 0.3.0'],
  ['another form of version', () => {}, 'v0.3.1', 'usage: '],
])('refuses %s', (_, prepare, version, reason) => {
  prepare();
  const { status, stderr } = release(version);
  expect([status, stderr]).toEqual([1, expect.stringContaining(reason)]);
  expect(() => read('ran.txt')).toThrow();
});
