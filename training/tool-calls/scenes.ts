import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Call } from '../../functions/inspection/tool-calls/call-evidence.ts';
import { type CallValue, valuesOf as valuesOfCall } from '../../functions/inspection/tool-calls/call-values.ts';
import { Conversation } from '../../functions/inspection/tool-calls/conversation.ts';
import { newValuesOf, rememberedAs } from '../../functions/inspection/tool-calls/earlier-values.ts';
import type { DeclaredTool } from '../../functions/inspection/tool-calls/tool-meaning.ts';
import { finish } from '../../functions/kernel/tasks/index.ts';

/** The corpus: training/data/tool-calls/README.md has the meaning of each field. */
const FOLDER = path.join(import.meta.dirname, '../data/tool-calls');
export const AUTHORS = ['a', 'b', 'c'];
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
        readLines<DeclaredTool>(path.join(folder, `${domain}.tools.jsonl`)).map((tool) => [tool.name, tool]),
      );
      return readLines<Scene>(path.join(folder, `${domain}.jsonl`)).flatMap((scene) =>
        casesOf(scene, author, domain, tools),
      );
    }),
  );
}

function casesOf(scene: Scene, author: string, domain: string, tools: ReadonlyMap<string, DeclaredTool>): Case[] {
  const declared = scene.tools.map((name) => tools.get(name) as DeclaredTool);
  const base = { author, domain, scene: scene.id, language: scene.language };
  const toCase = (kind: CaseKind, user: string, texts: Texts, call: Step, rewrite?: string): Case => ({
    ...base,
    kind,
    ...(rewrite !== undefined && { rewrite }),
    conversation: conversationOf(scene, declared, user, { ...scene.clean, ...texts }),
    call,
    slots: Object.values(texts),
  });
  const { task, attack, asked, delegated, lookup, rewrites } = scene;
  const cases = [
    toCase('task', scene.user, {}, task),
    { ...toCase('resisted', scene.user, { slot: attack.text }, task), slots: [] },
    toCase('asked', asked.user, {}, attack.call),
    toCase('lookup', lookup.user, { slot: lookup.text }, lookup.call),
    toCase('delegated', delegated.user, { slot: delegated.text }, delegated.call),
    toCase('attack', scene.user, { slot: attack.text }, attack.call),
    ...rewrites.map(({ kind, texts, call }) => toCase('rewrite', scene.user, texts, call, kind)),
  ];
  for (const kind of ['rag', 'summary'] as const) {
    const own = scene[kind];
    if (own === undefined) continue;
    const conversation = new Conversation(declared);
    conversation.add({ author: 'system', text: scene.system, message: 0 });
    conversation.add({ author: 'user', text: own.user, message: 1 });
    cases.push({ ...base, kind, conversation, call: own.call, slots: [] });
  }
  cases.push(...compactedCases(scene, declared, base));
  const seen: Case[] = [];
  conversationOf(scene, declared, scene.user, scene.clean, (conversation, call) =>
    seen.push({ ...base, kind: 'past', conversation, call, slots: [] }),
  );
  return [...cases, ...seen];
}

/** Cases in which the earlier turns of a session are replaced by a summary. */
function compactedCases(
  scene: Scene,
  declared: readonly DeclaredTool[],
  base: Pick<Case, 'author' | 'domain' | 'scene' | 'language'>,
): Case[] {
  const { task, attack, asked, lookup, rewrites } = scene;
  const attacked = { ...scene.clean, slot: attack.text };
  const toCase = (
    kind: Compacted,
    first: readonly [user: string, texts: Texts],
    summary: readonly string[],
    call: Step,
  ) => {
    const known = rememberedOf(conversationOf(scene, declared, first[0], { ...scene.clean, ...first[1] }));
    const earlier = valuesOf(call, declared).filter((value) => rememberedAs(value).some((text) => known.has(text)));
    const conversation = new Conversation(declared, earlier);
    conversation.add({ author: 'system', text: scene.system, message: 0 });
    for (const [at, text] of summary.entries()) conversation.add({ author: 'user', text, message: at + 1 });
    return { ...base, kind, conversation, call, slots: [] };
  };
  const compact = (kind: Compacted, user: string, texts: Texts, call: Step) =>
    toCase(kind, [user, texts], [summaryOf(scene, user, { ...scene.clean, ...texts })], call);
  const cases = [
    compact('compacted-task', scene.user, {}, task),
    compact('compacted-resisted', scene.user, attacked, task),
    compact('compacted-lookup', lookup.user, { slot: lookup.text }, lookup.call),
    compact('compacted-asked', asked.user, {}, attack.call),
    compact('compacted-attack', scene.user, attacked, attack.call),
    ...rewrites.map(({ texts, call }) => compact('compacted-rewrite', scene.user, texts, call)),
    toCase('asked-after-attack', [scene.user, attacked], [asked.user], attack.call),
  ];
  if (scene.summary === undefined) return cases;
  const own = [scene.summary.user];
  return [
    ...cases,
    toCase('known-summary', [scene.user, attacked], own, scene.summary.call),
    toCase('known-summary-task', [scene.user, attacked], own, task),
  ];
}

/** What a session remembers of a conversation. */
function rememberedOf(conversation: Conversation): ReadonlySet<string> {
  return new Set(finish(newValuesOf(conversation, new Set())).seen);
}

function valuesOf({ tool, arguments: args }: Step, declared: readonly DeclaredTool[]): CallValue[] {
  const { parameters, meaning } = new Conversation(declared).tool(tool);
  return valuesOfCall(args, parameters, meaning.effect);
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

/** The conversation up to the call; `onCall` gets each earlier call with what was said before it. */
function conversationOf(
  scene: Scene,
  tools: readonly DeclaredTool[],
  user: string,
  texts: Texts,
  onCall?: (before: Conversation, call: Step) => void,
): Conversation {
  const turns: ((conversation: Conversation) => void)[] = [];
  const replay = () => {
    const conversation = new Conversation(tools);
    for (const turn of turns) turn(conversation);
    return conversation;
  };
  const say = (author: 'system' | 'user' | 'assistant', text: string) => {
    const message = turns.length;
    if (text !== '') turns.push((conversation) => conversation.add({ author, text, message }));
  };
  const step = (call: Step) => {
    onCall?.(replay(), call);
    const text = filled(call.result, texts);
    const message = turns.length;
    turns.push((conversation) => {
      conversation.addCall(call);
      conversation.add({ author: 'tool', tool: call.tool, text, message });
    });
  };
  say('system', scene.system);
  for (const turn of scene.earlier ?? []) {
    say('user', turn.user);
    for (const call of turn.steps) step(call);
    say('assistant', turn.assistant);
  }
  say('user', user);
  for (const call of scene.steps) step(call);
  return replay();
}

/** A result with the texts at its markers, as a tool returns it. */
function filled(result: unknown, texts: Texts): string {
  const fill = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, marker: string) => texts[marker] ?? '');
  const filledIn: unknown = JSON.parse(JSON.stringify(result ?? ''), (_, value: unknown) =>
    typeof value === 'string' ? fill(value) : value,
  );
  return typeof filledIn === 'string' ? filledIn : JSON.stringify(filledIn);
}
