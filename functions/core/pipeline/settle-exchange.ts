import type { Usage } from '../model/chat.ts';
import type { Used } from '../ports/limiter.ts';
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
  if (reservation !== undefined) deps.afterwards.add(reservation.settle(usedBy(exchange, deps)));
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
