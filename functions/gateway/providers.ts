import { BedrockGuardrailChecks } from '../adapters/aws/bedrock-guardrail-checks.ts';
import { BedrockGuardrails } from '../adapters/aws/bedrock-guardrails.ts';
import { HttpDetector } from '../adapters/http/http-detector.ts';
import { ModelJudge, type ModelJudgeOptions } from '../adapters/http/model-judge.ts';
import { OpenAiModeration } from '../adapters/http/openai-moderation.ts';
import { systemClock } from '../adapters/node/process-time.ts';
import { type OutsideDetector, OutsideDetectors } from '../inspection/index.ts';
import { StoreUnavailable } from '../kernel/errors/index.ts';
import type { HttpClient } from '../kernel/http/index.ts';
import type { ScoreRange } from '../kernel/model/index.ts';
import { baseUrlOf, type ProviderSettings, type Providers } from '../translation/index.ts';
import { type GatewaySettings, hasPrice, targetOf, UNCERTAIN } from './env.ts';

/** What outside detectors are made with. */
export interface OutsideDetectorsOptions extends Pick<ModelJudgeOptions, 'models' | 'limiter' | 'backgroundTasks'> {
  readonly http: HttpClient;
  readonly settings: () => Promise<ProviderSettings>;
  /** The key that a key setting refers to, or the setting itself. */
  readonly resolveKey: (setting: string) => Promise<string>;
  readonly baseUrls: ProviderSettings;
  readonly providers: Providers;
}

/** The outside detectors in the settings; undefined if there are none. @throws StoreUnavailable for a detector model that cannot be called */
export function createOutsideDetectors(
  config: GatewaySettings,
  options: OutsideDetectorsOptions,
): OutsideDetectors | undefined {
  const { http, settings, resolveKey, baseUrls } = options;
  const timeoutMs = config.outsideDeadlineMs;
  const shared = { http, timeoutMs };
  const keyIn = async (name: string) => {
    const setting = (await settings())[name];
    return setting === undefined ? undefined : resolveKey(setting);
  };
  const detectors: OutsideDetector[] = [];
  if (config.guardrailId !== undefined) {
    detectors.push(
      new BedrockGuardrails({
        ...shared,
        guardrail: config.guardrailId,
        version: config.guardrailVersion,
      }),
    );
  }
  const checks = config.guardrailChecks;
  if (checks.length > 0) detectors.push(new BedrockGuardrailChecks({ ...shared, checks }));
  if (config.outsideModeration === 'openai') {
    const apiKey = () => keyIn('OPENAI_API_KEY');
    const baseUrl = baseUrlOf('openai', baseUrls);
    detectors.push(new OpenAiModeration({ ...shared, apiKey, baseUrl }));
  }
  for (const own of config.httpDetectors) {
    const secret = async () => (own.secret === undefined ? undefined : keyIn(own.secret));
    detectors.push(new HttpDetector({ ...shared, settings: own, secret, uncertain: uncertainIn(config) }));
  }
  if (config.judgeModel !== undefined) detectors.push(createJudge(config.judgeModel, config, options));
  if (detectors.length === 0) return undefined;
  return new OutsideDetectors({ detectors, deadlineMs: timeoutMs, when: config.outsideWhen, clock: systemClock });
}

/** The scores for which detectors of attacks are called. */
function uncertainIn({ outsideWhen }: Pick<GatewaySettings, 'outsideWhen'>): ScoreRange {
  return outsideWhen === 'always' ? UNCERTAIN : outsideWhen;
}

function createJudge(
  name: string,
  { judgeScore: score, judgeBudgetUsd: budgetUsdPerDay, outsideWhen, modelPrices }: GatewaySettings,
  { providers, models, limiter, backgroundTasks }: OutsideDetectorsOptions,
): ModelJudge {
  const target = targetOf(name);
  // The log shows only messages of this error.
  if (!providers.has(target.provider))
    throw new StoreUnavailable(`SVC_JUDGE_MODEL: no provider '${target.provider}' is set up`);
  if (!hasPrice(name, modelPrices)) {
    throw new StoreUnavailable(
      `SVC_JUDGE_MODEL: '${name}' has no price, so no budget can hold: add it to the model prices`,
    );
  }
  const range = uncertainIn({ outsideWhen });
  return new ModelJudge({
    ...{ providers, provider: target.provider },
    model: target.model,
    models,
    range,
    score,
    budgetUsdPerDay,
    limiter,
    backgroundTasks,
  });
}
