import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';

const ROOT = path.resolve(import.meta.dirname, '../..');

/**
 * The release before this one, with which a canary shares its tables: the last commit of `main` before the changes of the newest version in
 * CHANGELOG.md. It moves when the next version begins (CONTRIBUTING.md, "A release").
 */
export const PREVIOUS_RELEASE = 'bb6021a9d1524839192909ac190a15ea5b11a795';

export interface Release {
  /** The bundle of its local service. */
  readonly entry: string;
  /** A module of its source. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape of any release
  load(file: string): Promise<any>;
  remove(): void;
}

/** Builds the local service of a commit in a temporary folder, with the packages of its lockfile. */
export function buildRelease(commit: string): Release {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-release-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    if (run('git', ['cat-file', '-e', `${commit}^{commit}`]).status !== 0) {
      throw new Error(
        `the commit ${commit} is not in this clone. Fetch the whole history: git fetch --unshallow (in CI: fetch-depth: 0)`,
      );
    }
    const archive = path.join(folder, 'release.tar');
    must('git', ['archive', '--output', archive, commit]);
    must('tar', ['-xf', archive, '-C', folder]);
    must('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
    must(process.execPath, ['scripts/build.mjs', 'local'], folder);
    const entry = path.join(folder, 'dist/local/index.mjs');
    if (!existsSync(entry)) throw new Error(`the commit ${commit} builds no local service`);
    const load = async (file: string) => {
      const outfile = path.join(folder, 'loaded', `${file}.mjs`);
      const entryPoints = [path.join(folder, file)];
      await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external' });
      return import(outfile);
    };
    return { entry, load, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function run(command: string, args: readonly string[], cwd = ROOT) {
  return spawnSync(command, args, { cwd, encoding: 'utf8' });
}

function must(command: string, args: readonly string[], cwd?: string): void {
  const { status, stderr, error } = run(command, args, cwd);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
}
