import { afterAll, beforeAll, describe } from '@jest/globals';
import { accessContract } from './access.ts';
import { adminContract } from './admin-api.ts';
import { analyticsContract } from './analytics.ts';
import { answerContract } from './answers.ts';
import { authenticationContract } from './authentication.ts';
import { backgroundResponsesContract } from './background-responses.ts';
import { cancellationContract } from './cancellation.ts';
import { captureContract } from './capture.ts';
import { Contract } from './contract.ts';
import { customRuleContract } from './custom-rules.ts';
import { dashboardSessionContract } from './dashboard-session.ts';
import { geminiContract } from './gemini.ts';
import { guardContract } from './guard.ts';
import { hostileRequestContract } from './hostile-requests.ts';
import { idempotencyContract } from './idempotency.ts';
import { imageEditsContract } from './image-edits.ts';
import { imagesContract } from './images.ts';
import { inputInspectionContract } from './input-inspection.ts';
import { itemReferencesContract } from './item-references.ts';
import { keepaliveContract } from './keepalive.ts';
import { keyLimitContract } from './key-limits.ts';
import { logContract } from './logs.ts';
import { messagesContract } from './messages.ts';
import { messagesCountContract } from './messages-counts.ts';
import { messagesErrorContract } from './messages-errors.ts';
import { messagesPassthroughContract } from './messages-passthrough.ts';
import { messagesTranslationContract } from './messages-translation.ts';
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
import { responsesPassthroughContract } from './responses-passthrough.ts';
import { responsesTranslationContract } from './responses-translation.ts';
import { PROVIDER_TIMEOUT_MS, type ProviderSettings, type Service, type Skips } from './service.ts';
import { sessionContract } from './sessions.ts';
import { speechContract } from './speech.ts';
import { storedResponsesContract } from './stored-responses.ts';
import { streamErrorContract } from './stream-errors.ts';
import { traceContract } from './telemetry.ts';
import { transcriptionsContract } from './transcriptions.ts';
import { translationsContract } from './translations.ts';
import { upstreamContract } from './upstream.ts';
import { validationContract } from './validation.ts';
import { webhookContract } from './webhooks.ts';

type Part = (contract: Contract) => void;

const IMPATIENT = { SVC_PROVIDER_TIMEOUT_MS: String(PROVIDER_TIMEOUT_MS) };

/** What a client may rely on, in parts that run at the same time where each has its own service. */
const PARTS = {
  requests: [
    authenticationContract,
    accessContract,
    answerContract,
    validationContract,
    hostileRequestContract,
    passthroughContract,
    officialClientContract,
    idempotencyContract,
    rateLimitContract,
    keyLimitContract,
  ],
  failures: [providerFailureContract, streamErrorContract, cancellationContract, upstreamContract],
  protocols: [
    messagesContract,
    messagesPassthroughContract,
    messagesTranslationContract,
    messagesErrorContract,
    messagesCountContract,
    responsesContract,
    responsesPassthroughContract,
    responsesTranslationContract,
    storedResponsesContract,
    backgroundResponsesContract,
    itemReferencesContract,
    openAiRoutesContract,
    imagesContract,
    imageEditsContract,
    transcriptionsContract,
    translationsContract,
    speechContract,
    geminiContract,
  ],
  operations: [
    inputInspectionContract,
    outputInspectionContract,
    personalDataContract,
    moderationFieldContract,
    guardContract,
    customRuleContract,
    adminContract,
    dashboardSessionContract,
    playgroundContract,
    webhookContract,
    sessionContract,
    analyticsContract,
    captureContract,
    policyReplayContract,
    traceContract,
  ],
} satisfies Record<string, readonly Part[]>;

/** The same for every platform that the service runs on. `parts`: those to run on one service, one after another; else all. */
export function contractSuite(
  name: string,
  start: (providers: ProviderSettings, settings: Readonly<Record<string, string>>) => Promise<Service>,
  {
    parts = ['requests', 'failures', 'protocols', 'operations'],
    ...skips
  }: Skips & { readonly parts?: readonly (keyof typeof PARTS)[] } = {},
): void {
  describe(name, () => {
    const contract = new Contract((providers) => start(providers, IMPATIENT), skips);
    beforeAll(() => contract.start());
    afterAll(() => contract.stop());

    // Its streams wait more than ten seconds: begun before the first test, read after the last.
    const keepalive = parts.includes('requests') ? keepaliveContract(contract) : undefined;
    for (const part of parts) for (const tests of PARTS[part]) tests(contract);
    keepalive?.tests();
    // Last: it reads the log lines of all the others.
    logContract(contract);
  });
}
