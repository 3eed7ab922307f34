import { filesImportedBy, type SourceFile } from './sources.ts';

/** Every group of files that import each other in a cycle. Imports of types count too. */
export function findImportCycles(files: readonly SourceFile[]): string[][] {
  const known = new Set(files.map((file) => file.path));
  const edges = new Map(
    files.map((file) => [file.path, filesImportedBy(file).filter((target) => known.has(target))] as const),
  );
  return stronglyConnected(edges).filter((group) => group.length > 1);
}

/** Tarjan's algorithm. */
function stronglyConnected(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const groups: string[][] = [];
  const visit = (node: string): number => {
    const index = order.size;
    order.set(node, index);
    lowest.set(node, index);
    stack.push(node);
    for (const next of edges.get(node) ?? []) {
      const reached = order.has(next) ? (stack.includes(next) ? (order.get(next) as number) : index) : visit(next);
      lowest.set(node, Math.min(lowest.get(node) as number, reached));
    }
    if (lowest.get(node) === index) groups.push(stack.splice(stack.indexOf(node)));
    return lowest.get(node) as number;
  };
  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return groups;
}
