import type { Usage } from '../model/chat.ts';
import { costOf, type ModelCatalog } from '../routing/model-catalog.ts';
import type { Exchange } from './exchange.ts';

/**
 * What a usage costs in nano-dollars, by the dearest of the models that may have answered; null where the price of the asked one is
 * not known.
 */
export function costOfExchange(
  { provider, modelAtProvider, inItsPlace }: Exchange,
  usage: Usage,
  models: ModelCatalog,
): number | null {
  if (provider === null) return null;
  const [asked, ...others] = [modelAtProvider, ...inItsPlace].map((model) =>
    costOf(models.find(provider, model), usage),
  );
  return asked == null ? null : Math.max(asked, ...others.map((cost) => cost ?? 0));
}
