import { toParam } from '../../../kernel/errors/index.ts';
import type { Skipped } from '../../../kernel/model/index.ts';

/** A skipped part as `coverage.skipped` lists it: `messages[1].content[1]: image`. */
export function describeSkipped({ path, what }: Skipped): string {
  return `${toParam(path)}: ${what}`;
}
