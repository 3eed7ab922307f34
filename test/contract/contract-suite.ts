import { afterAll, beforeAll, describe } from '@jest/globals';
import { accessContract } from './administration/access.ts';
import { adminContract } from './administration/admin-api.ts';
import { analyticsContract } from './administration/analytics.ts';
import { captureContract } from './administration/capture.ts';
import { credentialsContract } from './administration/credentials.ts';
import { dashboardSessionContract } from './administration/dashboard-session.ts';
import { importedKeysContract } from './administration/imported-keys.ts';
import { logContract } from './administration/logs.ts';
import { mcpContract } from './administration/mcp.ts';
import { playgroundContract } from './administration/playground.ts';
import { policyReplayContract } from './administration/policy-replay.ts';
import { pricesContract } from './administration/prices.ts';
import { providersContract } from './administration/providers.ts';
import { rolloutContract } from './administration/rollout.ts';
import { routesContract } from './administration/routes.ts';
import { sessionContract } from './administration/sessions.ts';
import { spendContract } from './administration/spend.ts';
import { teamsContract } from './administration/teams.ts';
import { traceContract } from './administration/telemetry.ts';
import { webhookContract } from './administration/webhooks.ts';
import { answerContract } from './answers.ts';
import { authenticationContract } from './authentication.ts';
import { Contract } from './contract.ts';
import { hostileRequestContract } from './hostile-requests.ts';
import { idempotencyContract } from './idempotency.ts';
import { customRuleContract } from './inspection/custom-rules.ts';
import { guardContract } from './inspection/guard.ts';
import { inputInspectionContract } from './inspection/input-inspection.ts';
import { moderationFieldContract } from './inspection/moderation-field.ts';
import { outputInspectionContract } from './inspection/output-inspection.ts';
import { personalDataContract } from './inspection/personal-data.ts';
import { keyLimitContract } from './limits/key-limits.ts';
import { rateLimitContract } from './limits/rate-limit.ts';
import { imageEditsContract } from './media/image-edits.ts';
import { imagesContract } from './media/images.ts';
import { speechContract } from './media/speech.ts';
import { transcriptionsContract } from './media/transcriptions.ts';
import { translationsContract } from './media/translations.ts';
import { messagesContract } from './messages/messages.ts';
import { messagesCountContract } from './messages/messages-counts.ts';
import { messagesErrorContract } from './messages/messages-errors.ts';
import { messagesPassthroughContract } from './messages/messages-passthrough.ts';
import { messagesTranslationContract } from './messages/messages-translation.ts';
import { passthroughContract } from './passthrough.ts';
import { geminiContract } from './providers/gemini.ts';
import { keepaliveContract } from './providers/keepalive.ts';
import { officialClientContract } from './providers/official-client.ts';
import { openAiRoutesContract } from './providers/openai-routes.ts';
import { providerFailureContract } from './providers/provider-failures.ts';
import { streamErrorContract } from './providers/stream-errors.ts';
import { upstreamContract } from './providers/upstream.ts';
import { responseCacheContract } from './response-cache.ts';
import { backgroundResponsesContract } from './responses/background-responses.ts';
import { itemReferencesContract } from './responses/item-references.ts';
import { responsesContract } from './responses/responses.ts';
import { responsesPassthroughContract } from './responses/responses-passthrough.ts';
import { responsesTranslationContract } from './responses/responses-translation.ts';
import { storedResponsesContract } from './responses/stored-responses.ts';
import { cancellationContract } from './running/cancellation.ts';
import { PROVIDER_TIMEOUT_MS, type ProviderSettings, type Service, type Skips } from './service.ts';
import { validationContract } from './validation.ts';

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
    responseCacheContract,
    rateLimitContract,
    keyLimitContract,
    mcpContract,
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
    sessionContract,
    analyticsContract,
    spendContract,
    captureContract,
    policyReplayContract,
    providersContract,
    credentialsContract,
    teamsContract,
    importedKeysContract,
    routesContract,
    rolloutContract,
    pricesContract,
    traceContract,
  ],
  webhooks: [webhookContract],
} satisfies Record<string, readonly Part[]>;

/** The same for every platform that the service runs on. `parts`: those to run on one service, one after another; else all. */
export function contractSuite(
  name: string,
  start: (providers: ProviderSettings, settings: Readonly<Record<string, string>>) => Promise<Service>,
  {
    parts = ['requests', 'failures', 'protocols', 'operations', 'webhooks'],
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
