import { spawnSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import { runBin } from '../support/run-bin.ts';

/** What bash offers for a line, as if the cursor were at its end. */
function offered(script: string, ...words: readonly string[]): string[] {
  const call = `${script}
COMP_WORDS=(svc-admin "$@"); COMP_CWORD=$#
_svc_admin svc-admin "\${COMP_WORDS[COMP_CWORD]}"
echo "\${COMPREPLY[*]}"`;
  const { stdout, stderr, status } = spawnSync('bash', ['-c', call, 'bash', ...words], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return stdout.split(/\s+/).filter(Boolean);
}

it('bash completes commands, options and values of svc-admin', async () => {
  const { code, out: script, error } = await runBin('admin', ['completion', 'bash'], {});
  expect([code, error]).toEqual([0, '']);
  expect(offered(script, 'k')).toEqual(['keys']);
  expect(offered(script, '')).toEqual(expect.arrayContaining(['keys', 'usage', 'completion']));
  expect(offered(script, 'keys', 'cr')).toEqual(['create', 'create-admin']);
  expect(offered(script, 'keys', 'list', '--s')).toEqual(['--state']);
  expect(offered(script, 'keys', 'list', '--state', '')).toEqual(['active', 'disabled', 'revoked', 'expired']);
  expect(offered(script, 'keys', 'list', '--json', '--u')).toEqual(['--url']);
  expect(offered(script, 'threats', 'mark', 'thr_1', '')).toEqual(['false_positive', 'confirmed', 'none']);
  expect(offered(script, '--json', 'usage', '--interval', 'h')).toEqual(['hour']);
  // Files are completed by bash itself.
  expect(offered(script, 'plan', '')).toEqual([]);
  expect(offered(script, 'fly', '')).toEqual([]);
}, 30_000);

it('the script defines svc-admin, which runs in any folder', async () => {
  const { out: script } = await runBin('admin', ['completion', 'bash'], {});
  const run = spawnSync('bash', ['-c', `${script}\nsvc-admin keys lst`], { cwd: '/', encoding: 'utf8' });
  expect([run.status, run.stdout, run.stderr]).toEqual([2, '', expect.stringContaining("Did you mean 'keys list'?")]);
}, 30_000);

it('zsh has a script too, and another shell is refused', async () => {
  const zsh = await runBin('admin', ['completion', 'zsh'], {});
  expect([zsh.code, zsh.out]).toEqual([0, expect.stringContaining('compdef _svc_admin svc-admin')]);
  const fish = await runBin('admin', ['completion', 'fish'], {});
  expect([fish.code, fish.out, fish.error]).toEqual([2, '', expect.stringContaining('SHELL must be bash or zsh.')]);
}, 30_000);
