import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CallReader } from '../../functions/inspection/tool-calls/call-reader.ts';
import type { ChatMessage } from '../../functions/kernel/model/index.ts';
import { finish } from '../../functions/kernel/tasks/index.ts';
import { quantile } from '../lib/statistics.ts';
import { table } from '../lib/table.ts';

const DOCS = path.resolve(import.meta.dirname, '../../docs');
const SIZES = [10, 100, 400];
const RESULT = 10_000;
const RUNS = 60;
/** The inspection of arguments for secrets is not measured here. */
const KNOWLEDGE = {
  isPrivate: () => undefined,
  secretsIn: function* () {
    yield;
    return [];
  },
};
const TOOLS = [
  { name: 'read_page', parameters: { type: 'object', properties: { url: { type: 'string' } } } },
  {
    name: 'send_email',
    description: 'Sends a mail.',
    parameters: { type: 'object', properties: { to: {}, body: {} } },
  },
];

/**
 * CPU time to read a conversation of results and to score one call, by its size: one that was never seen, and one whose last result is
 * new.
 */
export function measureCosts(): string {
  const rows = SIZES.flatMap((size) =>
    (['prose', 'JSON'] as const).map((form) => {
      const times = Array.from({ length: RUNS }, (_, run) => {
        const messages = conversationOf(size * 1000, form, `run ${run}`);
        const first = cpuMs(messages);
        return { first, grown: cpuMs(grown(messages)) };
      }).slice(RUNS / 3);
      const cells = (values: number[]) => [0.5, 0.95].map((share) => quantile(values, share).toFixed(1));
      return [
        `${size} KB of ${form}`,
        ...cells(times.map(({ first }) => first)),
        ...cells(times.map(({ grown: time }) => time)),
      ];
    }),
  );
  return table(['Conversation', 'First seen, median ms', 'p95', 'One more result, median ms', 'p95'], rows);
}

function cpuMs(messages: readonly ChatMessage[]): number {
  const before = process.cpuUsage();
  const reader = new CallReader({ messages, tools: TOOLS });
  finish(reader.readTo(messages.length - 1));
  for (const call of messages.at(-1)?.toolCalls ?? []) finish(reader.scoreSteps(call, KNOWLEDGE));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** A conversation before whose last call one more page was read. */
function grown(messages: readonly ChatMessage[]): ChatMessage[] {
  const page = messages.slice(1, 3).map((message) => ({ ...message }));
  return [...messages.slice(0, -1), ...page, ...messages.slice(-1)];
}

/** A user's task, and results of 10 KB each made of the docs. */
function conversationOf(size: number, form: 'prose' | 'JSON', name: string): ChatMessage[] {
  const pages = readdirSync(DOCS).filter((file) => file.endsWith('.md'));
  const text = pages.map((file) => readFileSync(path.join(DOCS, file), 'utf8')).join('\n');
  const messages: ChatMessage[] = [say('user', `Read the pages and send a summary to bob@firm.example (${name}).`)];
  for (let at = 0; at < size; at += RESULT) {
    const id = String(at);
    const url = `https://pages.example/${id}`;
    const page = text.slice(at, at + RESULT);
    const lines = page.split('\n').map((line, number) => ({ number, line }));
    messages.push({
      role: 'assistant',
      parts: [],
      toolCalls: [{ id, name: 'read_page', arguments: JSON.stringify({ url }) }],
    });
    messages.push({ ...say('tool', form === 'prose' ? page : JSON.stringify(lines)), toolCallId: id });
  }
  const mail = { to: 'bob@firm.example', body: `Summary: ${text.slice(500, 1500)}` };
  const call = { id: 'last', name: 'send_email', arguments: JSON.stringify(mail) };
  return [...messages, { role: 'assistant', parts: [], toolCalls: [call] }];
}

function say(role: ChatMessage['role'], text: string): ChatMessage {
  return { role, parts: [{ type: 'text', text }] };
}
