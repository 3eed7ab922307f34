import { afterAll, beforeAll, describe } from '@jest/globals';
import { accessContract } from './access.ts';
import { adminContract } from './admin-api.ts';
import { analyticsContract } from './analytics.ts';
import { answerContract } from './answers.ts';
import { authenticationContract } from './authentication.ts';
import { cancellationContract } from './cancellation.ts';
import { captureContract } from './capture.ts';
import { Contract } from './contract.ts';
import { customRuleContract } from './custom-rules.ts';
import { dashboardSessionContract } from './dashboard-session.ts';
import { geminiContract } from './gemini.ts';
import { guardContract } from './guard.ts';
import { hostileRequestContract } from './hostile-requests.ts';
import { idempotencyContract } from './idempotency.ts';
import { imagesContract } from './images.ts';
import { inputInspectionContract } from './input-inspection.ts';
import { keepaliveContract } from './keepalive.ts';
import { keyLimitContract } from './key-limits.ts';
import { logContract } from './logs.ts';
import { messagesContract } from './messages.ts';
import { moderationFieldContract } from './moderation-field.ts';
import { officialClientContract } from './official-client.ts';
import { openAiRoutesContract } from './openai-routes.ts';
import { outputInspectionContract } from './output-inspection.ts';
import { passthroughContract } from './passthrough.ts';
import { personalDataContract } from './personal-data.ts';
import { playgroundContract } from './playground.ts';
import { policyReplayContract } from './policy-replay.ts';
import { providerFailureContract } from './provider-failures.ts';
import { rateLimitContract } from './rate-limit.ts';
import { responsesContract } from './responses.ts';
import type { ProviderSettings, Service, Skips } from './service.ts';
import { sessionContract } from './sessions.ts';
import { streamErrorContract } from './stream-errors.ts';
import { traceContract } from './telemetry.ts';
import { transcriptionsContract } from './transcriptions.ts';
import { validationContract } from './validation.ts';
import { webhookContract } from './webhooks.ts';

/** Everything that a caller may rely on, the same on every platform that the service runs on. */
export function contractSuite(
  name: string,
  start: (providers: ProviderSettings) => Promise<Service>,
  skips: Skips = {},
): void {
  describe(name, () => {
    const contract = new Contract(start, skips);
    beforeAll(() => contract.start(), 120_000);
    afterAll(() => contract.stop());

    // It waits more than ten seconds: begun here, read at the end.
    const keepalive = keepaliveContract(contract);
    authenticationContract(contract);
    accessContract(contract);
    answerContract(contract);
    validationContract(contract);
    hostileRequestContract(contract);
    passthroughContract(contract);
    officialClientContract(contract);
    messagesContract(contract);
    responsesContract(contract);
    providerFailureContract(contract);
    streamErrorContract(contract);
    cancellationContract(contract);
    inputInspectionContract(contract);
    outputInspectionContract(contract);
    personalDataContract(contract);
    openAiRoutesContract(contract);
    moderationFieldContract(contract);
    imagesContract(contract);
    transcriptionsContract(contract);
    geminiContract(contract);
    guardContract(contract);
    customRuleContract(contract);
    idempotencyContract(contract);
    rateLimitContract(contract);
    keyLimitContract(contract);
    adminContract(contract);
    dashboardSessionContract(contract);
    playgroundContract(contract);
    webhookContract(contract);
    sessionContract(contract);
    analyticsContract(contract);
    captureContract(contract);
    policyReplayContract(contract);
    traceContract(contract);
    keepalive.tests();
    // Last: it reads what all the others left behind.
    logContract(contract);
  });
}
