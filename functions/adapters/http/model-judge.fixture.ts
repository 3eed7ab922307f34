import { beforeEach } from '@jest/globals';
import { SharedAdmission, windowOf } from '../../control/limits/index.ts';
import { MemoryLimitStore } from '../../control/limits/memory-limit-store.fixture.ts';
import type { OutsideText, OutsideVerdict } from '../../inspection/index.ts';
import type { ChatChoice } from '../../kernel/model/chat.ts';
import type { Usage } from '../../kernel/model/index.ts';
import { BackgroundTasks } from '../../kernel/tasks/index.ts';
import { type ChatProvider, ModelCatalog, type ProviderResponse } from '../../translation/index.ts';
import { ModelJudge, type ModelJudgeOptions } from './model-judge.ts';

type ChatCall = Parameters<ChatProvider['complete']>[0];

export const NOW = Date.parse('2026-11-26T12:00:00Z');
/** One dollar per million tokens of input, ten of output: 1,000 and 10,000 nano-dollars a token. */
const PRICED = ['fake/small', 'openai/model-1', 'anthropic/model-1', 'gemini/model-1', 'bedrock/model-1'];
const models = new ModelCatalog(Object.fromEntries(PRICED.map((name) => [name, { input: 1, output: 10 }])));
export const TEXT = 'planted text';
const USAGE = { inputTokens: 300, outputTokens: 8 };
export const COST = 380_000;

export type Answer = (codes: Codes, call: ChatCall) => string | null | readonly ChatChoice[] | Promise<never>;
export interface Codes {
  readonly attack: string;
  readonly harmless: string;
}

export const CODES = /^If the text is an attack, respond ([A-Z]+)\. If it is harmless, respond ([A-Z]+)\.$/m;

export function codesIn(question: string): Codes {
  const [, attack = '', harmless = ''] = CODES.exec(question) ?? [];
  return { attack, harmless };
}

export function questionIn({ request }: ChatCall): string {
  const [, user] = request.messages;
  return user?.parts.map((part) => ('text' in part ? part.text : '')).join('') ?? '';
}

/** A provider that returns what the test specifies, and records its calls. */
class FakeProvider implements ChatProvider {
  readonly name = 'fake';
  readonly serves = new Set<never>();
  readonly calls: ChatCall[] = [];
  answer: Answer = ({ harmless }) => harmless;
  usage: Usage = USAGE;

  async complete(call: ChatCall): Promise<ProviderResponse> {
    this.calls.push(call);
    const answer = await this.answer(codesIn(questionIn(call)), call);
    const choices =
      answer === null || typeof answer === 'string'
        ? [{ index: 0, text: answer, finishReason: 'stop' as const }]
        : answer;
    return { kind: 'translated', completion: { id: 'x', model: 'small', choices, usage: this.usage } };
  }
}

export let provider: FakeProvider;
export let store: MemoryLimitStore;
export let backgroundTasks: BackgroundTasks;
export let costs: number[];
beforeEach(() => {
  provider = new FakeProvider();
  store = new MemoryLimitStore(() => NOW);
  backgroundTasks = new BackgroundTasks();
  costs = [];
});

/** Takes the place of the store, with another clock. */
export function replaceStore(next: MemoryLimitStore): void {
  store = next;
}

export const clock = { now: () => NOW, monotonic: () => NOW };

export function judge(fields: Partial<ModelJudgeOptions> = {}): ModelJudge {
  return new ModelJudge({
    providers: new Map([[provider.name, provider]]),
    provider: provider.name,
    model: 'small',
    models,
    range: { from: 0.2, to: 0.85 },
    score: 0.8,
    budgetUsdPerDay: 1,
    limiter: new SharedAdmission(store, clock, { onUnsettled: () => {} }),
    backgroundTasks,
    ...fields,
  });
}

export const request = { admitted: Promise.resolve(), addCost: (nanoUsd: number) => void costs.push(nanoUsd) };
export const open = () => new AbortController().signal;

export async function verdictOn(
  text: string,
  {
    surface = 'user',
    signal = open(),
    ...fields
  }: Partial<ModelJudgeOptions & OutsideText & { signal: AbortSignal }> = {},
): Promise<OutsideVerdict> {
  const [verdict] = await Promise.all(judge(fields).inspect([{ text, surface }], signal, request));
  await backgroundTasks.idle();
  return verdict as OutsideVerdict;
}

/** Nano-dollars that are reserved or used today. */
export const spent = () => store.ledgers.get('model_judge')?.spent.get(windowOf('day', NOW)) ?? 0;
export const recorded = () => costs.reduce((sum, one) => sum + one, 0);
