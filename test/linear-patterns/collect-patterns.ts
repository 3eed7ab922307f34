import { parseSync } from '@swc/core';

/** A regular expression literal of a source file. */
export interface SourcePattern {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

/** What a file gives V8's backtracking engine: literals, and how often one is put together at run time. */
export interface PatternUse {
  readonly literals: readonly SourcePattern[];
  readonly built: number;
}

/** Every regular expression in TypeScript code, found in its syntax tree. */
export function collectPatterns(file: string, code: string): PatternUse {
  const literals: SourcePattern[] = [];
  let built = 0;
  const open: unknown[] = [parseSync(code, { syntax: 'typescript', target: 'es2024' })];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== 'object' || node === null) continue;
    open.push(...Object.values(node));
    if (isLiteral(node)) literals.push({ file, source: node.pattern, flags: node.flags });
    if (buildsPattern(node)) built += 1;
  }
  return { literals: literals.reverse(), built };
}

function isLiteral(node: object): node is { pattern: string; flags: string } {
  return 'type' in node && node.type === 'RegExpLiteral';
}

/** `RegExp(...)`, `new RegExp(...)`. */
function buildsPattern(node: object): boolean {
  if (!('callee' in node) || typeof node.callee !== 'object' || node.callee === null) return false;
  return 'value' in node.callee && node.callee.value === 'RegExp';
}
