import { availableParallelism, loadavg } from 'node:os';
import { gatherEvidence } from '../../functions/inspection/across-texts/index.ts';
import { createInspector, FindingCache } from '../../functions/inspection/index.ts';
import type { Inspector } from '../../functions/inspection/inspector/index.ts';
import { finish } from '../../functions/kernel/tasks/index.ts';
import type { OpenAiMessage } from '../../functions/translation/protocols/openai-chat/chat-request-schema.ts';
import { chatTexts } from '../../functions/translation/protocols/openai-chat/chat-request-texts.ts';
import { rowsOf, textsByKind } from '../lib/texts.ts';
import { quantile, table } from './figures.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';
import type { Section } from './section.ts';
import { startTable } from './start.ts';

const KILOBYTE = 1024;
const ROW_SIZES = { '200 B': 200, '1 KB': KILOBYTE, '20 KB': 20 * KILOBYTE } as const;
/** Of a larger folder no more is measured. */
const MAX_BYTES = 4 * KILOBYTE ** 2;
const ROUNDS = 3;
const TURNS = 201;
const TURN_LENGTH = 500;
const HOSTILE_LENGTH = 100 * KILOBYTE;
const CONVERSATION_RUNS = 5;
const HOSTILE_RUNS = 3;

/** What inspection costs: ordinary text by size, hostile text, and the start. */
export const SPEED: Section = {
  name: 'speed',
  isSelfContained: true,
  write: async ({ inspector, texts }) => `## Time

Full inspection as a user's text, one core, us per KB of UTF-8 (p50 / p90, in brackets the number of rows). The texts are cut
into rows. An inspector reads all other kinds of text first, then each row once, so that no row repeats. A row's time is the
lowest of ${ROUNDS} such inspectors. ${loadNote()}

${ordinaryTable(texts)}

### A conversation that comes back

${TURNS} messages of ${TURN_LENGTH} bytes, user and assistant in turn, inspected together as the gateway does; ms for all, p50 of
${CONVERSATION_RUNS} runs, each with an inspector that has seen none of them:

${conversationTable(texts)}

### Hostile texts

100 KB and 200 KB of each, as user's text and as a tool's result, the slower of the two; best of ${HOSTILE_RUNS} runs. A ratio of
about 2 is linear growth.

${hostileTable(inspector)}

### Start

${await startTable()}`,
};

/** Times are comparable only if the load is below the number of cores. */
function loadNote(): string {
  return `The machine had a load of ${(loadavg()[1] ?? 0).toFixed(1)} on ${availableParallelism()} cores.`;
}

function ordinaryTable(texts: ReadonlyMap<string, string>): string {
  const rows = [...texts].map(([kind, text]) => [
    kind,
    ...Object.values(ROW_SIZES).map((size) => {
      const rows = rowsOf(text, size).slice(0, MAX_BYTES / size);
      const times = lowestTimes(kind, rows).map((ms) => (ms * 1000 * KILOBYTE) / size);
      if (times.length === 0) return '';
      return `${quantile(times, 0.5).toFixed(0)} / ${quantile(times, 0.9).toFixed(0)} (${times.length})`;
    }),
  ]);
  return table(['Text', ...Object.keys(ROW_SIZES)], rows);
}

/** The lowest time of each row, ms. */
function lowestTimes(kind: string, rows: readonly string[]): number[] {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const inspector = inspectorFor(kind);
    return rows.map((row) => timed(() => inspector.inspect(row, 'user')));
  });
  return rows.map((_, at) => Math.min(...rounds.map((times) => times[at] as number)));
}

/** An inspector that has read the samples of every other kind, as one that is in use has. */
function inspectorFor(kind: string): Inspector {
  const inspector = createInspector();
  inspector.warmUp();
  for (const [other, text] of textsByKind())
    if (other !== kind) for (const row of rowsOf(text, KILOBYTE)) inspector.inspect(row, 'user');
  return inspector;
}

/** Each turn sends all earlier ones again. */
function conversationTable(texts: ReadonlyMap<string, string>): string {
  const [kind, text] = texts.has('prose') ? ['prose', texts.get('prose') ?? ''] : ([...texts][0] ?? ['', '']);
  const messages = rowsOf(text, TURN_LENGTH)
    .slice(0, TURNS)
    .map((content, at): OpenAiMessage => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }));
  const { texts: turns } = finish(chatTexts(messages, { tools: undefined }));
  const times = Array.from({ length: CONVERSATION_RUNS }, () => {
    const inspector = inspectorFor(kind);
    const known = new FindingCache(inspector).of('key');
    return {
      unknown: timed(() => gatherEvidence(turns, known)),
      known: timed(() => gatherEvidence(turns, known)),
    };
  });
  const p50 = (of: 'unknown' | 'known') =>
    quantile(
      times.map((time) => time[of]),
      0.5,
    ).toFixed(1);
  return table(
    ['Texts', 'ms'],
    [
      ['nothing known', p50('unknown')],
      ['all known', p50('known')],
    ],
  );
}

function timed(inspect: () => unknown): number {
  const startedAt = performance.now();
  inspect();
  return performance.now() - startedAt;
}

function hostileTable(inspector: Inspector): string {
  const measured = Object.entries(HOSTILE_TEXTS).map(([name, make]) => {
    const [short, long] = [HOSTILE_LENGTH, 2 * HOSTILE_LENGTH].map((length) => slowest(make(length), inspector));
    return { name, short: short as number, long: long as number };
  });
  measured.sort((a, b) => b.short - a.short);
  const rows = measured.map(({ name, short, long }) => [
    name,
    short.toFixed(1),
    long.toFixed(1),
    (long / short).toFixed(2),
  ]);
  return table(['Text', '100 KB, ms', '200 KB, ms', 'Ratio'], rows);
}

function slowest(text: string, inspector: Inspector): number {
  const times = (['user', 'tool'] as const).map((surface) =>
    Math.min(...Array.from({ length: HOSTILE_RUNS }, () => timed(() => inspector.inspect(text, surface)))),
  );
  return Math.max(...times);
}
