import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { median } from './statistics.ts';

/**
 * A .cpuprofile of one bundle as self and total milliseconds of each function and of each package (of ours: folder),
 * named by the sources in `mapFile`, from `fromMicros` to `toMicros` of the profile's clock. Idle time is left out; a
 * recursive function's time counts once.
 */
export function readProfile(profileFile, mapFile, { fromMicros, toMicros }) {
  const { nodes, samples, timeDeltas, startTime } = JSON.parse(readFileSync(profileFile, 'utf8'));
  const map = new SourceMap(JSON.parse(readFileSync(mapFile, 'utf8')));
  const byId = new Map(nodes.map((node) => [node.id, { ...node, selfMs: 0, ...place(node.callFrame, map) }]));
  for (const node of byId.values()) {
    for (const child of node.children ?? []) byId.get(child).parent = node;
  }
  const longestMicros = 2 * median(timeDeltas);
  let at = startTime;
  for (const [index, id] of samples.entries()) {
    at += timeDeltas[index];
    // A late sample means that others had the core: that time counts for none.
    const micros = Math.min(timeDeltas[index], longestMicros);
    if (at >= fromMicros && at < toMicros) byId.get(id).selfMs += micros / 1000;
  }
  const busy = [...byId.values()].filter(
    ({ callFrame }) => !['(idle)', '(program)', '(root)'].includes(callFrame.functionName),
  );
  return {
    totalMs: busy.reduce((sum, { selfMs }) => sum + selfMs, 0),
    functions: summed(busy, (node) => node.name),
    packages: summed(busy, (node) => node.group),
  };
}

function summed(nodes, nameOf) {
  const rows = new Map();
  const row = (name) => rows.get(name) ?? rows.set(name, { name, selfMs: 0, totalMs: 0 }).get(name);
  for (const node of nodes) {
    row(nameOf(node)).selfMs += node.selfMs;
    const names = new Set();
    for (let at = node; at; at = at.parent) names.add(nameOf(at));
    for (const name of names) row(name).totalMs += node.selfMs;
  }
  return [...rows.values()];
}

function place({ functionName, url, lineNumber, columnNumber }, map) {
  const called = functionName || '(anonymous)';
  if (!url.endsWith('/index.mjs'))
    return { name: `${called} ${url}`, group: url.startsWith('node:') ? 'node' : called };
  const { originalSource = '', originalLine = 0 } = map.findEntry(lineNumber, columnNumber);
  const source = originalSource.replace(/^(\.\.\/)+/, '');
  const [, dependency] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? [];
  const folder = source.split('/').slice(0, -1).join('/');
  return { name: `${called} ${source}:${originalLine + 1}`, group: dependency ?? folder };
}
