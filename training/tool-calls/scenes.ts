import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Call } from '../../functions/inspection/tool-calls/call-evidence.ts';
import { type CallValue, valuesOf } from '../../functions/inspection/tool-calls/call-values.ts';
import { Conversation } from '../../functions/inspection/tool-calls/conversation.ts';
import { newValuesOf, rememberedAs } from '../../functions/inspection/tool-calls/earlier-values.ts';
import { argumentsOf, MessageReader } from '../../functions/inspection/tool-calls/index.ts';
import { joinUserTexts } from '../../functions/inspection/tool-calls/user-text.ts';
import type { ChatMessage, ToolDefinition } from '../../functions/kernel/model/index.ts';
import { finish } from '../../functions/kernel/tasks/index.ts';

/** The corpus: training/data/tool-calls/README.md has the meaning of each field. */
const FOLDER = path.join(import.meta.dirname, '../data/tool-calls');
export const AUTHORS = [...'abcdefghijk'];
export const DOMAINS = ['mail', 'money', 'crm', 'operations', 'coding', 'web'];

interface Step {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
}

interface Variant {
  readonly user: string;
  readonly text: string;
  readonly call: Step;
}

type Texts = Readonly<Record<string, string>>;

interface Scene {
  readonly id: string;
  readonly language: string;
  readonly tools: readonly string[];
  readonly system: string;
  readonly earlier?: readonly { readonly user: string; readonly steps: readonly Step[]; readonly assistant: string }[];
  readonly user: string;
  readonly steps: readonly Step[];
  readonly clean: Texts;
  readonly task: Step;
  readonly attack: { readonly text: string; readonly call: Step; readonly values: readonly string[] };
  readonly rewrites: readonly { readonly kind: string; readonly texts: Texts; readonly call: Step }[];
  readonly asked: { readonly user: string };
  readonly delegated: Variant;
  readonly lookup: Variant;
  readonly rag?: { readonly user: string; readonly call: Step };
  readonly summary?: { readonly user: string; readonly call: Step };
}

/**
 * What a call of a scene is: `task`: right, and nothing is wrong; `resisted`: the same although an attack is there; `past`: an earlier
 * call of the same conversation. `rag` and `summary` are attacks in the user's own message.
 */
export type CaseKind =
  | 'task'
  | 'resisted'
  | 'past'
  | 'asked'
  | 'lookup'
  | 'delegated'
  | 'attack'
  | 'rewrite'
  | 'rag'
  | 'summary'
  | Compacted;

/**
 * The same calls in a session whose client has replaced the turns before by a summary: the scene's own with the attack, or one made of the
 * user's task and the results' texts.
 */
type Compacted =
  | 'known-summary'
  | 'known-summary-task'
  | 'compacted-attack'
  | 'compacted-rewrite'
  | 'compacted-task'
  | 'compacted-resisted'
  | 'compacted-lookup'
  | 'compacted-asked'
  | 'asked-after-attack';

/** A call with the conversation before it. */
export interface Case {
  readonly author: string;
  readonly domain: string;
  readonly scene: string;
  readonly language: string;
  readonly kind: CaseKind;
  /** How an attack is rewritten. */
  readonly rewrite?: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly conversation: Conversation;
  readonly call: Call;
  /** What is at the markers of the results, without the attack of a call that resists it. */
  readonly slots: readonly string[];
}

function readLines<T>(file: string): T[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

/** All calls of the corpus. */
export function readCases(authors: readonly string[] = AUTHORS): Case[] {
  return authors.flatMap((author) =>
    DOMAINS.flatMap((domain) => {
      const folder = path.join(FOLDER, author);
      const tools = new Map(
        readLines<ToolDefinition>(path.join(folder, `${domain}.tools.jsonl`)).map((tool) => [tool.name, tool]),
      );
      return readLines<Scene>(path.join(folder, `${domain}.jsonl`)).flatMap((scene) =>
        casesOf(scene, author, domain, tools),
      );
    }),
  );
}

function casesOf(scene: Scene, author: string, domain: string, tools: ReadonlyMap<string, ToolDefinition>): Case[] {
  const declared = scene.tools.map((name) => tools.get(name) as ToolDefinition);
  const toCase = (
    kind: CaseKind,
    messages: readonly ChatMessage[],
    call: Step,
    slots: readonly string[] = [],
    earlier: readonly CallValue[] = [],
  ): Case => ({
    ...{ author, domain, scene: scene.id, language: scene.language, kind },
    ...{ messages, tools: declared, conversation: conversationOf(messages, declared, earlier), call, slots },
  });
  const after = (kind: CaseKind, user: string, texts: Texts, call: Step) =>
    toCase(kind, messagesOf(scene, user, texts), call, Object.values(texts));
  const { task, attack, asked, delegated, lookup, rewrites } = scene;
  const cases = [
    after('task', scene.user, {}, task),
    { ...after('resisted', scene.user, { slot: attack.text }, task), slots: [] },
    after('asked', asked.user, {}, attack.call),
    after('lookup', lookup.user, { slot: lookup.text }, lookup.call),
    after('delegated', delegated.user, { slot: delegated.text }, delegated.call),
    after('attack', scene.user, { slot: attack.text }, attack.call),
    ...rewrites.map(({ kind, texts, call }) => ({ ...after('rewrite', scene.user, texts, call), rewrite: kind })),
  ];
  for (const kind of ['rag', 'summary'] as const) {
    const own = scene[kind];
    if (own !== undefined) cases.push(toCase(kind, [say('system', scene.system), say('user', own.user)], own.call));
  }
  for (const { kind, first, summary, call } of compactedCases(scene)) {
    const known = rememberedOf(conversationOf(messagesOf(scene, ...first), declared));
    const earlier = valuesIn(call, declared).filter((value) => rememberedAs(value).some((text) => known.has(text)));
    cases.push(toCase(kind, [say('system', scene.system), say('user', summary)], call, [], earlier));
  }
  const clean = messagesOf(scene, scene.user, {});
  for (const [at, { toolCalls = [] }] of clean.entries())
    for (const { name, arguments: written } of toolCalls)
      cases.push(toCase('past', clean.slice(0, at), { tool: name, arguments: JSON.parse(written) }));
  return cases;
}

/** A request of a session whose earlier turns, `first`, the client has replaced by a summary. */
interface Compaction {
  readonly kind: Compacted;
  readonly first: readonly [user: string, texts: Texts];
  readonly summary: string;
  readonly call: Step;
}

function compactedCases(scene: Scene): Compaction[] {
  const { task, attack, asked, lookup, rewrites } = scene;
  const attacked = { slot: attack.text };
  const compact = (kind: Compacted, user: string, texts: Texts, call: Step): Compaction => {
    const summary = summaryOf(scene, user, { ...scene.clean, ...texts });
    return { kind, first: [user, texts], summary, call };
  };
  const cases = [
    compact('compacted-task', scene.user, {}, task),
    compact('compacted-resisted', scene.user, attacked, task),
    compact('compacted-lookup', lookup.user, { slot: lookup.text }, lookup.call),
    compact('compacted-asked', asked.user, {}, attack.call),
    compact('compacted-attack', scene.user, attacked, attack.call),
    ...rewrites.map(({ texts, call }) => compact('compacted-rewrite', scene.user, texts, call)),
    { ...compact('asked-after-attack', scene.user, attacked, attack.call), summary: asked.user },
  ];
  if (scene.summary === undefined) return cases;
  const { user, call } = scene.summary;
  const first = [scene.user, attacked] as const;
  return [
    ...cases,
    { kind: 'known-summary', first, summary: user, call },
    { kind: 'known-summary-task', first, summary: user, call: task },
  ];
}

/** What a session remembers of a conversation. */
function rememberedOf(conversation: Conversation): ReadonlySet<string> {
  return new Set(finish(newValuesOf(conversation, new Set())).seen);
}

function valuesIn({ tool, arguments: args }: Step, declared: readonly ToolDefinition[]): CallValue[] {
  const { parameters, meaning } = new Conversation(declared).tool(tool);
  return valuesOf(args, parameters, meaning.effect);
}

/** A summary as a client's program writes it. */
function summaryOf(scene: Scene, user: string, texts: Texts): string {
  const results = scene.steps.map(({ tool, result }) => {
    const filledIn = filled(result, texts);
    const said = Object.values(texts).filter(
      (text) => filledIn.includes(JSON.stringify(text).slice(1, -1)) || filledIn.includes(text),
    );
    return `- ${tool} was called. ${said.join(' ')}`;
  });
  return `This conversation continues from an earlier one. Summary of what happened so far.\nThe user's request: ${user}\nSteps:\n${results.join('\n')}\nNothing else was done. Continue with the request.`;
}

/** The conversation up to the call, as the gateway reads it. */
function conversationOf(
  messages: readonly ChatMessage[],
  tools: readonly ToolDefinition[],
  earlier?: readonly CallValue[],
): Conversation {
  const conversation = new Conversation(tools, earlier);
  const reader = new MessageReader({ joinUserTexts });
  for (const [at, message] of messages.entries()) {
    const { turn, calls } = reader.read(message);
    if (turn !== undefined) conversation.add({ ...turn, message: at });
    for (const { name, arguments: written } of calls)
      conversation.addCall({ tool: name, arguments: argumentsOf(written) });
  }
  return conversation;
}

/** The messages up to the call, with the texts at the markers. */
function messagesOf(scene: Scene, user: string, texts: Texts): ChatMessage[] {
  const filledIn = { ...scene.clean, ...texts };
  const messages = [say('system', scene.system)];
  const addSteps = (steps: readonly Step[]) => {
    for (const { tool, arguments: args, result } of steps) {
      const id = `call_${messages.length}`;
      const toolCalls = [{ id, name: tool, arguments: JSON.stringify(args) }];
      messages.push({ role: 'assistant', parts: [], toolCalls });
      messages.push({ ...say('tool', filled(result, filledIn)), toolCallId: id });
    }
  };
  for (const turn of scene.earlier ?? []) {
    messages.push(say('user', turn.user));
    addSteps(turn.steps);
    messages.push(say('assistant', turn.assistant));
  }
  messages.push(say('user', user));
  addSteps(scene.steps);
  return messages;
}

function say(role: ChatMessage['role'], text: string): ChatMessage {
  return { role, parts: [{ type: 'text', text }] };
}

/** A result with the texts at its markers, as a tool returns it. */
function filled(result: unknown, texts: Texts): string {
  const fill = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, marker: string) => texts[marker] ?? '');
  const filledIn: unknown = JSON.parse(JSON.stringify(result ?? ''), (_, value: unknown) =>
    typeof value === 'string' ? fill(value) : value,
  );
  return typeof filledIn === 'string' ? filledIn : JSON.stringify(filledIn);
}
