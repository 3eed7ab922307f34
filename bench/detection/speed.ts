import type { Inspector } from '../../functions/core/inspect/inspector.ts';
import { KnownTexts } from '../../functions/core/inspect/known-texts.ts';
import { gatherEvidence } from '../../functions/core/inspect/requests/gather-evidence.ts';
import type { TextInspector } from '../../functions/core/inspect/text-inspector.ts';
import type { OpenAiMessage } from '../../functions/core/protocols/openai-chat/chat-request-schema.ts';
import { chatTexts } from '../../functions/core/protocols/openai-chat/chat-request-texts.ts';
import { quantile, table } from './figures.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';
import { ORDINARY_TEXTS } from './ordinary-texts.ts';
import type { Section } from './section.ts';
import { startTable } from './start.ts';

const SIZES = { '200 B': 200, '1 KB': 1024, '20 KB': 20 * 1024, '200 KB': 200 * 1024 } as const;
const TURNS = 201;
const TURN_LENGTH = 500;
const HOSTILE_LENGTH = 100 * 1024;
/** Each is inspected until so long has passed, so that short texts are measured often and long ones twice at least. */
const BUDGET_MS = 400;
const HOSTILE_RUNS = 3;

/** What inspection costs: ordinary text by size, hostile text, and the start. */
export const SPEED: Section = {
  name: 'speed',
  write: async ({ inspector }) => `## Time

Full inspection as a user's text, one core, us per KB (p50) and, for 200 KB, ms:

${ordinaryTable(inspector)}

### A conversation that comes back

${TURNS} messages of some 500 characters, user and assistant in turn, as the gateway judges them together; ms for all, p50:

${conversationTable(inspector)}

### Hostile texts

100 KB and 200 KB of each, as user's text and as a tool's result, the slower of the two; best of ${HOSTILE_RUNS} runs. A ratio of
about 2 is linear growth.

${hostileTable(inspector)}

### Start

${await startTable()}`,
};

function ordinaryTable(inspector: Inspector): string {
  const rows = Object.entries(ORDINARY_TEXTS).map(([kind, make]) => {
    const times = Object.values(SIZES).map((size) => {
      const text = make(size);
      const inspect = () => inspector.inspect(text, 'user');
      inspect();
      return { size, median: quantile(timesOf(inspect), 0.5) };
    });
    const perKilobyte = times.map(({ size, median }) => ((median * 1000) / (size / 1024)).toFixed(1));
    const longest = times.at(-1) ?? { size: 0, median: 0 };
    return [
      kind,
      ...perKilobyte,
      longest.median.toFixed(1),
      (longest.size / 2 ** 20 / (longest.median / 1000)).toFixed(1),
    ];
  });
  return table(['Text', ...Object.keys(SIZES), '200 KB, ms', 'Sustained, MB/s'], rows);
}

/** Each turn sends all that was said before once more. */
function conversationTable(inspector: Inspector): string {
  const words = ORDINARY_TEXTS.prose(TURNS * TURN_LENGTH);
  const messages = Array.from(
    { length: TURNS },
    (_, at): OpenAiMessage => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: `${at} ${words.slice(at * TURN_LENGTH, (at + 1) * TURN_LENGTH)}`,
    }),
  );
  const { texts } = chatTexts(messages, { tools: undefined });
  const known = new KnownTexts(inspector).of('key');
  gatherEvidence(texts.slice(0, -1), known);
  const p50 = (own: () => TextInspector) =>
    quantile(
      timesOf(() => gatherEvidence(texts, own())),
      0.5,
    ).toFixed(2);
  return table(
    ['Texts', 'ms'],
    [
      ['nothing known', p50(() => inspector)],
      ['all known', p50(() => known)],
    ],
  );
}

function timesOf(inspect: () => unknown): number[] {
  const times: number[] = [];
  const until = performance.now() + BUDGET_MS;
  while (times.length < 2 || performance.now() < until) times.push(timed(inspect));
  return times;
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
