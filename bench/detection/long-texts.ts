import path from 'node:path';
import type { Inspector } from '../../functions/inspection/inspector/index.ts';
import { generator } from '../../training/generator.ts';
import { type Row, readSets } from '../../training/read-sets.ts';
import { blockedShare, flaggedShare, percent, table } from './figures.ts';
import { judgeText, type Read, type Verdict } from './judge.ts';
import { ordinaryPrompts } from './ordinary.ts';
import type { BenchContext, Section } from './section.ts';

const LENGTH = 50 * 1024;
const ATTACKS = 60;
/** Attacks that are whole in a sentence or two. */
const [SHORTEST, LONGEST] = [40, 300];
const ATTACK_SETS = new Set(['neuralchemy_pi_val', 'neuralchemy_pi_test', 'deepset_pi_train', 'patt_prompt_injection']);
const CLEAN_SETS = new Set(['long_documents', 'long_tool_outputs']);
const PLACES = { start: 0, middle: 0.5, end: 1 } as const;

/** One attack in 50 KB that are clean otherwise. */
export const LONG_TEXTS: Section = {
  name: 'long',
  write: ({ inspector, ...context }) => {
    const { attacks, documents } = materials(context);
    const surfaces = (['user', 'tool'] as const).map((surface) => surfaceRow(attacks, documents, surface, inspector));
    return `## One attack in 50 KB

${attacks.length} short attacks, planted between two lines of ${documents.length} documents of ${LENGTH / 1024} KB, made of
clean ones (system prompts left out). In brackets behind a place: the part of the attacks found alone that is found there.

${table(['Read as', 'Attack alone', ...Object.keys(PLACES), 'Clean 50 KB, flagged', 'blocked'], surfaces)}

Ordinary prompts of \`dev/\`, ${JOINED} random rows of them joined to one user text of a size:

${table(['Size', 'Flagged', 'Blocked'], promptRows(context, inspector))}`;
  },
};

/** Texts of prompts that are put together at random, and their sizes in KB. */
const JOINED = 200;
const JOINED_KB = [1, 20, 100];

function promptRows(context: Omit<BenchContext, 'inspector'>, inspector: Inspector): string[][] {
  const prompts = ordinaryPrompts(context);
  const random = generator(11);
  return JOINED_KB.map((size) => {
    const scores = Array.from({ length: JOINED }, (): Verdict => {
      let text = '';
      while (text.length < size * 1024) text += `${prompts[Math.floor(random() * prompts.length)]}\n\n`;
      return judgeText(inspector, text.slice(0, size * 1024), 'user');
    });
    return [`${size} KB`, flaggedShare(scores), blockedShare(scores)];
  });
}

function materials({ data, families }: Omit<BenchContext, 'inspector'>) {
  const rows = ['train', 'dev'].flatMap((folder) => readSets(path.join(data, folder), families));
  const short = rows.filter(
    ({ set, label, text }) =>
      ATTACK_SETS.has(set) && label === 'attack' && text.length >= SHORTEST && text.length <= LONGEST,
  );
  const step = Math.max(1, Math.floor(short.length / ATTACKS));
  const clean = rows.filter(({ set, category }) => CLEAN_SETS.has(set) && category !== 'system_prompt');
  return {
    attacks: short.filter((_, at) => at % step === 0).slice(0, ATTACKS),
    documents: [...Map.groupBy(clean, ({ set }) => set).values()].flatMap(joined),
  };
}

/** Documents of one kind, put together until each is long enough; the rest that is not is left out. */
function joined(rows: readonly Row[]): string[] {
  const documents: string[] = [];
  let open = '';
  for (const { text } of rows) {
    open += `${text}\n\n`;
    if (open.length < LENGTH) continue;
    documents.push(open.slice(0, LENGTH));
    open = '';
  }
  return documents;
}

function surfaceRow(attacks: readonly Row[], documents: readonly string[], surface: Read, inspector: Inspector) {
  const scores = (texts: readonly string[]) => texts.map((text) => judgeText(inspector, text, surface));
  const alone = scores(attacks.map(({ text }) => text));
  const places = Object.values(PLACES).map((place) => {
    const hidden = attacks.map(({ text }, at) => plant(text, documents[at % documents.length] as string, place));
    const found = scores(hidden);
    const both = found.filter(({ isFlagged }, at) => isFlagged && alone[at]?.isFlagged);
    const foundAlone = alone.filter(({ isFlagged }) => isFlagged).length;
    return `${percent(found.filter(({ isFlagged }) => isFlagged).length / found.length)} (${percent(both.length / foundAlone)})`;
  });
  const clean = scores(documents);
  const aloneShown = flaggedShare(alone);
  return [surface, aloneShown, ...places, flaggedShare(clean), blockedShare(clean)];
}

/** The text on separate lines, so far into the document; the document keeps its length. */
function plant(text: string, document: string, place: number): string {
  const room = document.slice(0, LENGTH - text.length - 2);
  const line = room.indexOf('\n', Math.floor(room.length * place));
  const at = place === 0 ? 0 : line < 0 ? room.length : line;
  return `${room.slice(0, at)}\n${text}\n${room.slice(at)}`;
}
