import path from 'node:path';
import type { OpenAiMessage } from '../../functions/translation/protocols/openai-chat/chat-request-schema.ts';
import { type Row, readSets } from '../../training/read-sets.ts';
import { table } from './figures.ts';
import { actionShares, judgeRequest } from './judge-request.ts';
import type { Section } from './section.ts';

const CONVERSATIONS_A_ROW = 600;
const LONGEST_TEXT = 600;
/** What people write, not documents. */
const TALK = /^(?:alpaca|banking|apeach|mt_bench|cyberseceval_mitre|toxicchat)/;
/** Long responses would only add text that the user did not write. */
const ANSWERS = [
  'Sure, here is an overview.',
  'You can do that in the settings.',
  'It depends on what you need; the first option is the usual one.',
  'Thanks, I have noted that.',
];

/** Conversations made of single texts of `dev/`: what many turns add up to, and what splitting an attack hides. */
export const CONVERSATIONS: Section = {
  name: 'conversations',
  write: ({ data, families, inspector }) => {
    const rows = readSets(path.join(data, 'dev'), families).filter(({ text }) => text.length <= LONGEST_TEXT);
    const talk = rows.filter(({ label, set }) => label === 'benign' && TALK.test(set));
    const attacks = rows.filter(({ label, category }) => label === 'attack' && !category.startsWith('indirect'));
    const pick = picker();
    const scenes = scenesOf(
      () => pick(talk).text,
      () => pick(attacks).text,
      () => pick(ANSWERS),
    );
    const lines = scenes.map(([name, make]) => {
      const judged = Array.from({ length: CONVERSATIONS_A_ROW }, () => judgeRequest({ messages: make() }, inspector));
      return [name, ...actionShares(judged)];
    });
    return `## Conversations made of single texts

${CONVERSATIONS_A_ROW} of each, drawn from the ordinary talk and the direct attacks of \`dev/\` (always the same ones).

${table(['Conversation', 'Flagged', 'Blocked'], lines)}`;
  },
};

type Turn = OpenAiMessage & { readonly role: 'user' | 'assistant' };
type Scene = readonly [name: string, make: () => Turn[]];

function scenesOf(talk: () => string, attack: () => string, answer: () => string): Scene[] {
  const user = (content: string): Turn => ({ role: 'user', content });
  const answered = (texts: readonly string[]): Turn[] =>
    texts.flatMap((text): Turn[] => [user(text), { role: 'assistant', content: answer() }]).slice(0, -1);
  const talks = (count: number) => Array.from({ length: count }, talk);
  return [
    ...[1, 2, 5, 10, 20, 50].map((n): Scene => [`${n} ordinary turns, false alarms`, () => answered(talks(n))]),
    ['5 ordinary messages in a row, false alarms', () => talks(5).map(user)],
    ['an attack alone', () => [user(attack())]],
    ['an attack in the last of 10 turns', () => answered([...talks(9), attack()])],
    ['an attack two turns before the last', () => answered([...talks(7), attack(), ...talks(2)])],
    ['an attack cut into two messages', () => cut(attack(), 2).map(user)],
    [
      'an attack cut into three numbered parts, with responses',
      () => answered(cut(attack(), 3).map((part, at) => `Part ${at + 1}: ${part}`)),
    ],
  ];
}

/** The text in so many parts of as many words. */
function cut(text: string, parts: number): string[] {
  const words = text.split(' ');
  const size = Math.ceil(words.length / parts);
  return Array.from({ length: parts }, (_, at) => words.slice(at * size, (at + 1) * size).join(' ') || '.');
}

/** Draws the same ones at every run (a linear congruential generator). */
function picker(): <T extends Row | string>(from: readonly T[]) => T {
  let state = 7;
  return <T>(from: readonly T[]) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return from[Math.floor((state / 0x80000000) * from.length)] as T;
  };
}
