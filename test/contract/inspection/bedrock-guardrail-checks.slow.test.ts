import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { checksReply, type FoundByChecks } from '../../../functions/adapters/aws/guardrail-checks.fixture.ts';
import { type Contract, saying } from '../contract.ts';
import { expectError } from '../reply.ts';
import { detectors, fresh, MODEL, serving, startDetectors } from './outside-detectors-setup.ts';

startDetectors();

describe('with the checks of Amazon Bedrock Guardrails', () => {
  let contract: Contract;
  beforeAll(async () => {
    contract = await serving({ SVC_BEDROCK_GUARDRAIL_CHECKS: 'promptAttack' });
  });
  const find = (found: FoundByChecks) => {
    detectors.answer = (request) => checksReply(request, found);
  };
  beforeEach(() => find({}));

  test('their findings block a request before a provider is called', async () => {
    find({ severities: { PROMPT_INJECTION: 1 } });
    const before = contract.upstream.requests.length;
    const reply = await contract.chat(saying(fresh(), MODEL));
    expectError(reply, 'content_filter', 'messages[0].content');
    expect(reply.json.svc.detected_threats).toMatchObject([
      { rule: 'bedrock-guardrails/prompt-injection', type: 'prompt_injection', score: 1 },
    ]);
    expect([contract.upstream.requests.length, detectors.seen.length]).toEqual([before, 1]);
  });

  test('a request without findings passes, and no response is sent to them', async () => {
    contract.upstream.next({ text: 'Fine.' });
    const reply = await contract.chat(saying(fresh(), MODEL));
    expect([reply.status, reply.json.svc.coverage.skipped, detectors.seen.length]).toEqual([200, [], 1]);
  });

  test('a request that they could not inspect passes and is reported, or is blocked, as the policy says', async () => {
    detectors.answer = () => ({ status: 403, headers: { 'x-amzn-errortype': 'AccessDeniedException' } });
    contract.upstream.next({ text: 'Fine.' });
    const passed = await contract.chat(saying(fresh(), MODEL));
    const reported = 'bedrock_guardrail_checks: refused';
    expect([passed.status, passed.json.svc.coverage.skipped]).toEqual([200, [reported]]);
    expect(contract.service.logs()).toContain(`"detectorFailures":["${reported} (status 403 AccessDeniedException)"]`);
    const key = await contract.newKey({ policy: { onDetectorFailure: 'block' } });
    expectError(await contract.chat(saying(fresh(), MODEL), { key }), 'content_filter');
  });
});
