import type { Usage } from '../../kernel/model/index.ts';
import { AnthropicUsage, fromAnthropicUsage } from '../protocols/anthropic-messages/usage-and-stop-reasons.ts';
import { costOf, unknownChargesOf } from './cost.ts';
import { ModelCatalog } from './model-catalog.ts';

export const catalog = new ModelCatalog();
export const usdOf = (provider: string, model: string, usage: Usage | undefined) => {
  const facts = catalog.find(provider, model);
  const nanoUsd = costOf(facts, usage ?? null);
  return { usd: nanoUsd === null ? null : nanoUsd / 1e9, unknown: unknownChargesOf(facts, usage ?? null) };
};
export const anthropic = (usage: object) => fromAnthropicUsage(AnthropicUsage.parse(usage));

/** A provider and a model, what it reports, what that costs, and what remains unknown. */
export type Documented = readonly (readonly [string, string, Usage | undefined, number | null, readonly string[]])[];
