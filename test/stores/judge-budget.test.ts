import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoLimitStore } from '../../functions/adapters/dynamo/dynamo-limit-store.ts';
import { ModelJudge } from '../../functions/adapters/http/model-judge.ts';
import { SharedAdmission } from '../../functions/control/limits/index.ts';
import { BackgroundTasks } from '../../functions/kernel/tasks/index.ts';
import { type ChatProvider, ModelCatalog } from '../../functions/translation/index.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { availableEngines } from './engines.ts';
import { FakeClock } from './fake-clock.ts';

process.env.AWS_REGION = 'eu-central-1';
process.env.AWS_ACCESS_KEY_ID = 'local';
process.env.AWS_SECRET_ACCESS_KEY = 'local';

/** One dollar per million input tokens. */
const models = new ModelCatalog({ 'fake/small': { input: 1, output: 0 } });
/** Every call costs 1,000 tokens: a tenth of a cent. */
const TOKENS = 1_000;
const BUDGET_USD = 0.02;
const DAY_MS = 86_400_000;

describe.each(availableEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let stop = async () => {};
  let url = '';
  beforeAll(async () => {
    ({ url, stop } = await engine.start());
  });
  afterAll(() => stop());

  const clock = new FakeClock();
  let calls = 0;
  const provider: ChatProvider = {
    name: 'fake',
    serves: new Set(),
    complete: async () => {
      calls += 1;
      const usage = { inputTokens: TOKENS, outputTokens: 0 };
      return { kind: 'translated', completion: { id: 'x', model: 'small', choices: [], usage } };
    },
  };

  /** The detector of one function, with its own client and memory. */
  function aFunction() {
    const client = createDynamoClient(embeddedAccess(url));
    const store = new DynamoLimitStore({ client, settling: client }, 'limits', clock);
    const backgroundTasks = new BackgroundTasks();
    const judge = new ModelJudge({
      providers: new Map([[provider.name, provider]]),
      provider: provider.name,
      model: 'small',
      models,
      range: { from: 0, to: 1 },
      score: 0.8,
      budgetUsdPerDay: BUDGET_USD,
      limiter: new SharedAdmission(store, clock, { onUnsettled: () => {} }),
      backgroundTasks,
    });
    return async (at: number) => {
      const request = { admitted: Promise.resolve(), addCost: () => {} };
      const signal = new AbortController().signal;
      const [verdict] = await Promise.all(judge.inspect([{ text: `text ${at}`, surface: 'user' }], signal, request));
      await backgroundTasks.idle();
      return verdict;
    };
  }

  it('two functions together spend the budget of a day, and no more; the next day has another', async () => {
    const functions = [aFunction(), aFunction()];
    const most = (BUDGET_USD * 1e6) / TOKENS;
    const usedUp = { failure: 'throttled', detail: 'budget of the day used up' };
    const spendAll = async () => {
      calls = 0;
      for (let at = 0; at < most; at += 1) await Promise.all(functions.map((ask) => ask(at)));
      expect(calls).toBeLessThanOrEqual(most);
      // Less than the highest cost of a call is left.
      expect(calls).toBeGreaterThan(most - 4);
      for (const ask of [...functions, aFunction()]) expect(await ask(0)).toEqual(usedUp);
    };
    await spendAll();
    clock.time += DAY_MS;
    await spendAll();
  });
});
