import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { RouteEntry } from '../../kernel/configuration/index.ts';
import type { ModelCatalog } from './model-catalog.ts';
import type { Target, Weighted } from './route-model.ts';
import type { TargetSpeeds } from './target-speeds.ts';

/** Who sends a request, as far as it decides on a target. */
export interface Sender {
  readonly keyId: string;
  /** The session, or else the end user; undefined without one. */
  readonly session: string | undefined;
  /** The prices of its request. */
  readonly models: Pick<ModelCatalog, 'find'>;
}

interface TargetChoiceDeps {
  /** 0 to below 1. */
  readonly random: () => number;
  readonly speeds: Pick<TargetSpeeds, 'medianOf'>;
}

type Rules = Pick<RouteEntry, 'models' | 'choose' | 'sticky'>;

/** By latency: the share of requests that is spread by weight, and how much faster another target must be. */
const SPREAD = 0.1;
const FASTER = 0.8;
/** Senders and routes whose target is kept. */
const MAX_KEPT = 10_000;

/** Chooses one of a route's targets. */
export class TargetChoice {
  private readonly deps: TargetChoiceDeps;
  private readonly fastest = new LRUCache<string, string>({ max: 1_000 });
  private readonly kept = new LRUCache<string, string>({ maxSize: MAX_KEPT, sizeCalculation: () => 1 });

  constructor(deps: TargetChoiceDeps) {
    this.deps = deps;
  }

  /** Undefined if no target has a weight. */
  choose<One extends Weighted>(route: Rules, targets: readonly One[], sender: Sender | undefined): One | undefined {
    const weighted = targets.filter(({ weight = 1 }) => weight > 0);
    if (weighted.length < 2) return weighted[0];
    const stickTo = stickyPart(route, sender);
    if (route.choose === undefined || route.choose === 'weight')
      return stickTo === undefined ? this.byChance(weighted) : byHash(weighted, stickTo);
    const choose = () =>
      route.choose === 'cost' ? cheapest(weighted, sender) : this.byLatency(route.models, weighted);
    return stickTo === undefined ? choose() : this.keep(stickTo, weighted, choose);
  }

  private byChance<One extends Weighted>(targets: readonly One[]): One {
    const total = targets.reduce((sum, { weight = 1 }) => sum + weight, 0);
    let left = this.deps.random() * total;
    const chosen = targets.find(({ weight = 1 }) => {
      left -= weight;
      return left < 0;
    });
    return chosen ?? (targets.at(-1) as One);
  }

  private byLatency<One extends Weighted>(models: string, targets: readonly One[]): One {
    const { random, speeds } = this.deps;
    if (random() < SPREAD) return this.byChance(targets);
    const timed = targets.flatMap((target) => {
      const median = speeds.medianOf(target);
      return median === undefined ? [] : [{ target, median }];
    });
    const best = leastOf(timed, ({ median }) => median);
    if (best === undefined) return this.byChance(targets);
    const last = timed.find(({ target }) => nameOf(target) === this.fastest.get(models));
    const chosen = last !== undefined && best.median > FASTER * last.median ? last : best;
    this.fastest.set(models, nameOf(chosen.target));
    return chosen.target;
  }

  private keep<One extends Weighted>(stickTo: string, targets: readonly One[], choose: () => One): One {
    const name = this.kept.get(stickTo);
    const chosen = targets.find((target) => nameOf(target) === name) ?? choose();
    this.kept.set(stickTo, nameOf(chosen));
    return chosen;
  }
}

/** An unknown price is the last. */
function cheapest<One extends Weighted>(targets: readonly One[], sender: Sender | undefined): One {
  return leastOf(targets, ({ provider, model }) => {
    const prices = sender?.models.find(provider, model).prices;
    return prices === undefined ? Number.MAX_VALUE : 3 * prices.input + prices.output;
  }) as One;
}

/** What keeps its target; undefined if the route keeps none, or the request has no session. */
function stickyPart({ models, sticky }: Rules, sender: Sender | undefined): string | undefined {
  if (sticky === undefined || sender === undefined) return undefined;
  const { keyId, session } = sender;
  if (sticky === 'key') return JSON.stringify([models, keyId]);
  return session === undefined ? undefined : JSON.stringify([models, keyId, session]);
}

/**
 * Weighted rendezvous hashing: every process chooses the same target, each target gets its share, and a target that is added or removed
 * moves only the senders that it gains or loses.
 */
function byHash<One extends Weighted>(targets: readonly One[], stickTo: string): One {
  return leastOf(targets, (target) => {
    const hash = createHash('sha256')
      .update(`${nameOf(target)}\n${stickTo}`)
      .digest();
    const share = (hash.readUInt32BE(0) + 1) / (2 ** 32 + 1);
    return -Math.log(share) / (target.weight ?? 1);
  }) as One;
}

/** The first with the least value. */
function leastOf<One>(all: readonly One[], rank: (one: One) => number): One | undefined {
  let least: { readonly one: One; readonly value: number } | undefined;
  for (const one of all) {
    const value = rank(one);
    if (least === undefined || value < least.value) least = { one, value };
  }
  return least?.one;
}

function nameOf({ provider, model }: Target): string {
  return `${provider}/${model}`;
}
