import { type DeclaredTool, versionOf } from '../../kernel/model/index.ts';
import { isPlainAscii, toFolded } from '../views/index.ts';

/**
 * The tools whose name an earlier one has with another definition, or whose name differs from an earlier one by letter case, look-alike or
 * invisible characters only.
 */
export function shadowedTools(tools: readonly DeclaredTool[]): DeclaredTool[] {
  const first = new Map<string, DeclaredTool>();
  return tools.filter((tool) => {
    const name = foldedName(tool.name);
    const earlier = first.get(name);
    if (earlier === undefined) first.set(name, tool);
    return earlier !== undefined && !isSame(earlier, tool);
  });
}

function isSame(one: DeclaredTool, other: DeclaredTool): boolean {
  return one.name === other.name && versionOf(one).digest === versionOf(other).digest;
}

function foldedName(name: string): string {
  return isPlainAscii(name) ? name.toLowerCase() : Array.from(name, toFolded).join('');
}
