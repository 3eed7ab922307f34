/**
 * The least number k for which every part of the graph has a node with at most k neighbours in it, so that at most k + 1
 * nodes are all neighbours of each other. Linear in nodes and edges (Matula and Beck's smallest-last order).
 */
export function degeneracy(neighbours: ReadonlyMap<number, readonly number[]>): number {
  const degrees = new Map<number, number>();
  const byDegree: number[][] = [];
  for (const [node, { length }] of neighbours) place(node, length, degrees, byDegree);
  let highest = 0;
  for (let degree = 0; degree < byDegree.length; ) {
    const node = byDegree[degree]?.pop();
    if (node === undefined) degree += 1;
    else if (degrees.get(node) === degree) {
      highest = Math.max(highest, degree);
      degrees.delete(node);
      for (const other of neighbours.get(node) ?? []) {
        const known = degrees.get(other);
        if (known === undefined) continue;
        place(other, known - 1, degrees, byDegree);
        degree = Math.min(degree, known - 1);
      }
    }
  }
  return highest;
}

function place(node: number, degree: number, degrees: Map<number, number>, byDegree: number[][]): void {
  degrees.set(node, degree);
  while (byDegree.length <= degree) byDegree.push([]);
  byDegree[degree]?.push(node);
}
