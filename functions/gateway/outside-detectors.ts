import { BedrockGuardrails } from '../adapters/aws/bedrock-guardrails.ts';
import { OpenAiModeration } from '../adapters/http/openai-moderation.ts';
import { UndiciHttpClient } from '../adapters/http/undici-http-client.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { OutsideDetector } from '../core/inspect/outside/outside-detector.ts';
import { OutsideJudges } from '../core/inspect/outside/outside-judges.ts';
import type { OutsideEnv } from './env.ts';
import { baseUrlOf, OPENAI_ADDRESS, type ProvidersOptions } from './providers.ts';

/** The outside detectors that the environment names; undefined where it names none. */
export function createOutsideJudges(
  env: OutsideEnv,
  { settings, baseUrls }: Pick<ProvidersOptions, 'settings' | 'baseUrls'>,
): OutsideJudges | undefined {
  const timeoutMs = env.SVC_OUTSIDE_DEADLINE_MS;
  const shared = { http: new UndiciHttpClient(), timeoutMs };
  const detectors: OutsideDetector[] = [];
  if (env.SVC_BEDROCK_GUARDRAIL_ID !== undefined) {
    detectors.push(
      new BedrockGuardrails({
        ...shared,
        guardrail: env.SVC_BEDROCK_GUARDRAIL_ID,
        version: env.SVC_BEDROCK_GUARDRAIL_VERSION,
      }),
    );
  }
  if (env.SVC_OUTSIDE_MODERATION === 'openai') {
    const apiKey = async () => (await settings()).OPENAI_API_KEY;
    const baseUrl = baseUrlOf(baseUrls, 'OPENAI_BASE_URL', OPENAI_ADDRESS);
    detectors.push(new OpenAiModeration({ ...shared, apiKey, baseUrl }));
  }
  if (detectors.length === 0) return undefined;
  return new OutsideJudges({ detectors, deadlineMs: timeoutMs, when: env.SVC_OUTSIDE_WHEN, clock: systemClock });
}
