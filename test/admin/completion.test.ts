import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { DEADLINE_MS } from '../support/eventually.ts';
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
  expect(offered(script, 'keys', 'list', '--st')).toEqual(['--state']);
  expect(offered(script, 'keys', 'list', '--state', '')).toEqual(['active', 'disabled', 'revoked', 'expired']);
  expect(offered(script, 'keys', 'list', '--json', '--u')).toEqual(['--url']);
  expect(offered(script, 'threats', 'mark', 'thr_1', '')).toEqual(['false_positive', 'confirmed', 'none']);
  expect(offered(script, '--json', 'usage', '--interval', 'h')).toEqual(['hour']);
  // Files are completed by bash itself.
  expect(offered(script, 'plan', '')).toEqual([]);
  expect(offered(script, 'fly', '')).toEqual([]);
});

it('the script defines svc-admin, which runs in any folder', async () => {
  const { out: script } = await runBin('admin', ['completion', 'bash'], {});
  const run = spawnSync('bash', ['-c', `${script}\nsvc-admin keys lst`], { cwd: '/', encoding: 'utf8' });
  expect([run.status, run.stdout, run.stderr]).toEqual([2, '', expect.stringContaining("Did you mean 'keys list'?")]);
});

/** An interactive zsh that loads the script; each line gets a Tab. Its candidates go to the file `hits`, a line each. */
const ZSH_DRIVER = `zmodload zsh/zpty
zpty terminal zsh -f -i
zpty -w terminal 'source ./script; source ./spy; LISTMAX=9999; echo READY-$((1))'
zpty -r -m terminal shown '*READY-1*'
for line in "$@"; do
  size=$(wc -c < hits)
  zpty -w -n terminal "svc-admin $line"$'\\t'
  # Keys that wait would end the completion.
  repeat 200; do [[ $(wc -c < hits) == $size ]] || break; sleep 0.05; done
  zpty -w terminal $'\\C-u''echo -- >> hits; echo DONE-$((1))'
  zpty -r -m terminal shown '*DONE-1*'
done
zpty -d terminal`;
/** The candidates that begin with the word at the cursor, as zsh itself selects them. */
const ZSH_SPY = `compadd() {
  local -a found
  builtin compadd -O found "$@"
  print -rl -- $found >> hits
  builtin compadd "$@"
}`;

/** What zsh offers for each line, with the cursor at its end. */
function offeredByZsh(script: string, ...lines: readonly string[]): string[][] {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-zsh-'));
  try {
    for (const [name, content] of Object.entries({ script, spy: ZSH_SPY, hits: '', 'config.json': '{}' }))
      writeFileSync(path.join(folder, name), content);
    const env = { PATH: process.env.PATH, HOME: folder, ZDOTDIR: folder, TERM: 'dumb' };
    const options = { cwd: folder, env, encoding: 'utf8', timeout: DEADLINE_MS } as const;
    const { status, stderr } = spawnSync('zsh', ['-f', '-c', ZSH_DRIVER, 'zsh', ...lines], options);
    expect([status, stderr]).toEqual([0, '']);
    const hits = readFileSync(path.join(folder, 'hits'), 'utf8').split('--\n').slice(0, -1);
    return hits.map((text) => [...new Set(text.split('\n').filter(Boolean))]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const hasZsh = spawnSync('zsh', ['--version']).status === 0;
(hasZsh ? it : it.skip)(`zsh completes them too${hasZsh ? '' : ' (skipped: zsh is not installed)'}`, async () => {
  const zsh = await runBin('admin', ['completion', 'zsh'], {});
  expect([zsh.code, zsh.error]).toEqual([0, '']);
  const lines = ['k', 'keys cr', 'keys list --s', 'keys list --state ', '--json usage --interval h', 'plan conf'];
  expect(offeredByZsh(zsh.out, ...lines)).toEqual([
    ['keys'],
    ['create', 'create-admin'],
    ['--state'],
    ['active', 'disabled', 'revoked', 'expired'],
    ['hour'],
    ['config.json'],
  ]);
});

it('another shell is refused', async () => {
  const fish = await runBin('admin', ['completion', 'fish'], {});
  expect([fish.code, fish.out, fish.error]).toEqual([2, '', expect.stringContaining('SHELL must be bash or zsh.')]);
});
