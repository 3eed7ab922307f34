import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { SourcePattern } from './collect-patterns.ts';

/** The patterns that recheck does not prove to take linear time on any input, each as a sentence that says why. */
export function findSlowPatterns(patterns: readonly SourcePattern[]): string[] {
  const script = path.join(import.meta.dirname, 'recheck-stdin.mjs');
  const verdicts = JSON.parse(
    execFileSync(process.execPath, [script], { input: JSON.stringify(patterns), encoding: 'utf8' }),
  ) as string[];
  return patterns.flatMap(({ file, source, flags }, at) =>
    verdicts[at] === 'linear' ? [] : [`${file}: /${source}/${flags} is ${verdicts[at]}`],
  );
}
