import type { Used } from '../limits/limiter.ts';
import type { Usage } from '../model/chat.ts';
import { costOfExchange } from './cost-of-exchange.ts';
import type { Exchange, PipelineDeps } from './exchange.ts';

/**
 * Gives back what the exchange had reserved and counts what it used, after its answer: nobody waits for it. To be called
 * once, however the exchange ended; an admission that is still on its way is settled when it is there.
 */
export function settleExchange(exchange: Exchange, deps: PipelineDeps): void {
  exchange.over = true;
  const { reservation, stopped, unreported } = exchange;
  exchange.reservation = undefined;
  // Of what was ended from outside no more will be told: its record says what is counted.
  if (stopped !== undefined && unreported !== undefined) exchange.usage = { ...unreported(), ...exchange.usage };
  exchange.usage = believedUsage(exchange, deps);
  if (reservation !== undefined) deps.backgroundTasks.add(reservation.settle(usedBy(exchange, deps)));
}

/**
 * The usage that the provider reported, up to what is possible: one response that reports billions would block its key for years.
 * What is reserved is an upper bound already; images, tokenizers and prompts that a provider adds may go beyond it by this much.
 */
function believedUsage({ usage, reserved, requestId, trace, key }: Exchange, { alarm }: PipelineDeps): Usage | null {
  if (usage === null || reserved === undefined) return usage;
  const { inputTokens = 0, outputTokens = 0 } = usage;
  const most = { input: mostOf(reserved.input), output: mostOf(reserved.output) };
  if (inputTokens <= most.input && outputTokens <= most.output) return usage;
  const told = `${inputTokens} input and ${outputTokens} output tokens, where ${reserved.input} and ${reserved.output} were reserved`;
  alarm.notBelieved({ requestId, traceId: trace.traceId }, key.id, told);
  return {
    ...usage,
    ...(inputTokens > most.input && { inputTokens: most.input }),
    ...(outputTokens > most.output && { outputTokens: most.output }),
  };
}

function mostOf(reserved: number): number {
  return 4 * reserved + 10_000;
}

/**
 * What counts against the key's limits: the usage that the provider told. Where it told none and may have served the
 * request, an estimate from the texts that were sent and came.
 */
function usedBy(exchange: Exchange, { models }: PipelineDeps): Used {
  const estimate: Usage = exchange.unreported?.() ?? { inputTokens: 0, outputTokens: 0 };
  const usage = { ...estimate, ...exchange.usage };
  return {
    tokens: (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0),
    nanoUsd: costOfExchange(exchange, usage, models) ?? 0,
  };
}
