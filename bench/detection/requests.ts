import path from 'node:path';
import { readLines } from '../../training/read-sets.ts';
import { quantile, table } from './figures.ts';
import { actionShares, type BenchRequest, type JudgedRequest, judgeRequest } from './judge-request.ts';
import type { Section } from './section.ts';

/** A row of `dev-requests/`, as its MANIFEST.md says. */
interface RequestRow {
  readonly request: BenchRequest;
  readonly label: string;
  readonly category: string;
  /** Of a clean twin: what its attack is called. */
  readonly pair_category?: string;
  readonly lang: string;
}
type Judged = RequestRow & JudgedRequest;
/** The families of `multi_turn` that drift to harmful goals without overriding anything. */
const DRIFTS: ReadonlySet<string> = new Set(['crescendo', 'story_drift', 'persona_drift']);

/** Whole requests and conversations, each inspected with all its turns so far. */
export const REQUESTS: Section = {
  name: 'requests',
  write: ({ data, inspector }) => {
    const read = (set: string): Judged[] =>
      readLines(path.join(data, 'dev-requests'), set).map((line) => {
        const row = JSON.parse(line) as RequestRow;
        return { ...row, ...judgeRequest(row.request, inspector) };
      });
    return `## Whole requests

Sets of \`dev-requests/\` by the default policy. Crescendo, story drift and persona drift lead to harmful goals and override
nothing: the subject of a conversation is not inspected.

${requestTable([
  ...agentRows(read('benign_agents')),
  ...positionRows(read('attack_positions')),
  ...conversationRows(read('multi_turn')),
])}`;
  },
};

type Line = readonly [name: string, judged: readonly Judged[]];

function agentRows(judged: readonly Judged[]): Line[] {
  return [
    ['**ordinary agents, false alarms**', judged],
    ['... English', judged.filter(({ lang }) => lang === 'en')],
    ['... other languages', judged.filter(({ lang }) => lang !== 'en')],
  ];
}

function positionRows(judged: readonly Judged[]): Line[] {
  const [attacks, clean] = byLabel(judged);
  return [
    ['**an attack in one position, found**', attacks],
    ['... English', attacks.filter(({ lang }) => lang === 'en')],
    ['... other languages', attacks.filter(({ lang }) => lang !== 'en')],
    ...byCategory(attacks),
    ['**their clean twins, false alarms**', clean],
    ['... English', clean.filter(({ lang }) => lang === 'en')],
    ['... other languages', clean.filter(({ lang }) => lang !== 'en')],
  ];
}

function conversationRows(judged: readonly Judged[]): Line[] {
  const [attacks, harmless] = byLabel(judged);
  return [
    ['**conversations that turn bad, found by their last turn**', attacks],
    ['... that override', attacks.filter(({ category }) => !DRIFTS.has(category))],
    ['... that drift', attacks.filter(({ category }) => DRIFTS.has(category))],
    ...byCategory(attacks),
    ['**conversations that look alike, false alarms**', harmless],
    ...byCategory(harmless),
  ];
}

function byLabel(judged: readonly Judged[]): [Judged[], Judged[]] {
  return [judged.filter(({ label }) => label !== 'benign'), judged.filter(({ label }) => label === 'benign')];
}

function byCategory(judged: readonly Judged[]): Line[] {
  return [...Map.groupBy(judged, ({ category }) => category)].sort(([a], [b]) => (a < b ? -1 : 1));
}

function requestTable(lines: readonly Line[]): string {
  const rows = lines.map(([name, judged]) => {
    const micros = judged.map((one) => one.micros);
    const times = [0.5, 0.99].map((at) => quantile(micros, at).toFixed(0));
    return [name, judged.length, ...actionShares(judged), ...times];
  });
  return table(['Requests', 'Number', 'Flagged', 'Blocked', 'p50 us', 'p99 us'], rows);
}
