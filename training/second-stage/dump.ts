/**
 * Writes the texts that an encoder is trained and evaluated on, in windows, with the first stage's scores out of fold:
 * node training/second-stage/dump.ts --data DIR --out FILE
 */

import { createWriteStream, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { judge, surfaceOf, verdictOf } from '../../bench/detection/judge.ts';
import { outOfFold } from '../../bench/detection/out-of-fold.ts';
import { gatherEvidence } from '../../functions/inspection/across-texts/index.ts';
import { agreedScore, bestWindow } from '../../functions/inspection/classification/window-score.ts';
import { readWordClasses } from '../../functions/inspection/detectors/classifier/classifier.ts';
import traffic from '../../functions/inspection/detectors/classifier/traffic.generated.json' with { type: 'json' };
import { createInspector } from '../../functions/inspection/index.ts';
import { TextView } from '../../functions/inspection/views/index.ts';
import { finish } from '../../functions/kernel/tasks/index.ts';
import type { OpenAiMessage } from '../../functions/translation/protocols/openai-chat/chat-request-schema.ts';
import { chatTexts } from '../../functions/translation/protocols/openai-chat/chat-request-texts.ts';
import { folds } from '../evaluate.ts';
import { toAdded } from '../heads.ts';
import { ownSamples } from '../own-texts.ts';
import { Families, readLines, readSets } from '../read-sets.ts';
import { folded, toSamples } from '../samples.ts';
import { TextFeatures } from '../text-features.ts';

/** Size of a window and its distance from the one before, in ASCII characters: about 110 tokens. */
const WINDOW = 440;
const STEP = 320;
/** Of a long text, this many windows are used: those that the model trained on our texts scores highest. */
const MOST_WINDOWS = 4;
/** Characters of context beside an attack in a document. */
const AROUND_SPAN = 100;
const AUTHORS = { A: 'dev-requests', B: 'requests-b', C: 'requests-c' } as const;

const { values } = parseArgs({ options: { data: { type: 'string' }, out: { type: 'string' } } });
const { data, out } = values;
if (data === undefined || out === undefined) throw new Error('usage: dump.ts --data DIR --out FILE');
const families = new Families(path.join(data, 'families.json'));
const inspector = createInspector();
const features = new TextFeatures(readWordClasses());
const own = toAdded(traffic);
const file = createWriteStream(out);
const write = (row: object) => file.write(`${JSON.stringify(row)}\n`);

writeTrainingSets(data);
writeOwnTexts();
for (const [author, folder] of Object.entries(AUTHORS)) writeRequests(author, path.join(data, folder));
for (const row of readSets(path.join(data, 'dev'), families)) {
  if (row.label !== 'attack' && row.label !== 'benign') continue;
  const { hard, score } = judge(row, inspector);
  write({ group: 'dev', ...labelOf(row), hard, first: score, surface: surfaceOf(row), windows: windowsOf(row.text) });
}
file.end();

function writeTrainingSets(folder: string): void {
  const rows = readSets(path.join(folder, 'train'), families);
  const foldOf = new Map(
    folds(toSamples(rows)).flatMap((group, at) => [...group].map((family) => [family, at] as const)),
  );
  const context = { data: folder, families, inspector, texts: new Map(), goals: [] };
  for (const scored of outOfFold(context)) {
    if (scored.label !== 'attack' && scored.label !== 'benign') continue;
    const span = scored.label === 'attack' ? scored.spans?.find(({ type }) => type === 'INJECTION') : undefined;
    const characters = span === undefined ? [] : [...scored.text];
    const lesson = span && characters.slice(Math.max(0, span.start - AROUND_SPAN), span.end + AROUND_SPAN).join('');
    write({
      ...{
        group: 'train',
        ...labelOf(scored),
        hard: scored.hard,
        fold: foldOf.get(scored.family),
        first: scored.score,
      },
      ...{ surface: surfaceOf(scored), windows: windowsOf(scored.text), lesson: lesson && plain(lesson) },
    });
  }
}

function writeOwnTexts(): void {
  for (const { set, attack, text } of ownSamples()) {
    const surface = /injections|agents|agent_sessions/.test(set) ? 'tool' : 'user';
    write({ group: 'own', set, attack, surface, windows: windowsOf(text).slice(0, 2) });
  }
  const scenes = path.resolve(import.meta.dirname, '../data/scenes');
  for (const name of readdirSync(scenes).sort()) {
    for (const [at, line] of readFileSync(path.join(scenes, name), 'utf8').trimEnd().split('\n').entries()) {
      const { text, span, label, surface, lang } = JSON.parse(line);
      const start = span === undefined ? -1 : text.indexOf(span);
      const lesson =
        start < 0 ? undefined : text.slice(Math.max(0, start - AROUND_SPAN), start + span.length + AROUND_SPAN);
      write({
        ...{ group: 'scene', id: `${name}:${at}`, attack: label === 'attack', surface, lang },
        ...{ windows: windowsOf(text).slice(0, 3), lesson: lesson && plain(lesson) },
      });
    }
  }
}

/** Each text of each request; `asked` is the user's last message, for texts of others. */
function writeRequests(author: string, folder: string): void {
  for (const set of ['attack_positions', 'benign_agents', 'multi_turn']) {
    for (const line of readLines(folder, set)) {
      const { id, request, label, attack_kind: kind, ...row } = JSON.parse(line);
      const { texts } = finish(chatTexts(request.messages as OpenAiMessage[], { tools: request.tools }));
      const first = verdictOf(gatherEvidence(texts, inspector)).score;
      const asked = texts.filter((text) => text.author === 'user').at(-1)?.text ?? '';
      const planted = plain(row.planted_decoded ?? row.planted ?? '').slice(0, 40);
      for (const { text, author: writer, surface, name } of texts) {
        if (writer === 'operator' || name !== undefined || text.trim().length < 8) continue;
        const isPlanted = planted.length > 8 && plain(text).includes(planted);
        write({
          ...{ group: author, set, id, attack: label !== 'benign', kind, first, isPlanted, surface: writer },
          ...{ asked: surface === 'tool' ? plain(asked).slice(0, 200) : undefined, windows: windowsOf(text) },
        });
      }
    }
  }
}

function labelOf(row: { set: string; family: string; label: string; category: string; lang: string }) {
  const { set, family, label, category, lang } = row;
  return { set, family, attack: label === 'attack', category, lang };
}

/** The text as a reader sees it, on one line. */
function plain(text: string): string {
  const view = new TextView('exact');
  return (view.push(text) + view.end()).replace(/\s+/g, ' ').trim();
}

/** The windows of a text, or the most suspicious ones of a long text. */
function windowsOf(text: string): string[] {
  const all = cut(plain(text));
  if (all.length <= MOST_WINDOWS) return all;
  const scored = all.map((window) => ({ window, score: scoreOf(folded(window)) }));
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_WINDOWS)
    .map(({ window }) => window);
}

function scoreOf(text: string): number {
  features.read(text, own.weights);
  const window = bestWindow(features);
  return window === undefined ? Number.NEGATIVE_INFINITY : agreedScore(text, features, window);
}

/** Overlapping windows that end at spaces. Characters of other scripts are more tokens. */
function cut(text: string): string[] {
  const widths = new Float64Array(text.length + 1);
  for (let at = 0; at < text.length; at++) widths[at + 1] = (widths[at] as number) + widthOf(text.charCodeAt(at));
  const end = (from: number, width: number) => {
    let to = from + 1;
    while (to < text.length && (widths[to] as number) - (widths[from] as number) < width) to += 1;
    const space = to < text.length ? text.lastIndexOf(' ', to) : to;
    return space > from + (to - from) / 2 ? space : to;
  };
  const windows: string[] = [];
  for (let from = 0; ; from = end(from, STEP)) {
    const to = end(from, WINDOW);
    windows.push(text.slice(from, to));
    if (to >= text.length) return windows;
  }
}

function widthOf(unit: number): number {
  if (unit < 0x250) return 1;
  if (unit < 0x900) return 1.3;
  if (unit < 0x1000) return 1.8;
  return unit < 0x3000 ? 1.5 : 2.6;
}
