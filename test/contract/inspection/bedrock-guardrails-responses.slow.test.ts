import { beforeAll, describe, expect, test } from '@jest/globals';
import { filtered, NOTHING_FOUND } from '../../../functions/adapters/http/detector-server.fixture.ts';
import { type Contract, saying } from '../contract.ts';
import { expectGoodOrder, toMessageStream } from '../messages/messages-reply.ts';
import { readUntil } from '../stream-reply.ts';
import {
  askedTexts,
  detectors,
  fresh,
  GUARDRAIL,
  interveneAt,
  MODEL,
  serving,
  startDetectors,
  TIMEOUT,
  testThatNothingIsLogged,
} from './outside-detectors-setup.ts';

startDetectors();

describe('with Amazon Bedrock Guardrails', () => {
  let contract: Contract;
  beforeAll(async () => {
    contract = await serving(GUARDRAIL);
  });

  describe('a complete response', () => {
    test('is cut at a finding that the policy blocks', async () => {
      const key = await contract.newKey({ policy: { output: { toxicity: { action: 'block' } } } });
      const answer = fresh('An answer');
      interveneAt(answer, filtered('HATE', 'HIGH'), 'OUTPUT');
      contract.upstream.next({ text: answer });
      const { status, json, text } = await contract.chat(saying(fresh(), MODEL), { key });
      expect(status).toBe(200);
      expect(json.choices[0]).toMatchObject({ message: { content: '' }, finish_reason: 'content_filter' });
      expect(json.svc).toMatchObject({ action: 'block', detected_threats: [{ rule: 'bedrock-guardrails/hate' }] });
      expect(text).not.toContain(answer);
    });

    test('is redacted at their findings, and otherwise unchanged', async () => {
      const key = await contract.newKey({ policy: { output: { pii: { action: 'redact' } } } });
      interveneAt('Vronsky', {
        sensitiveInformationPolicy: { piiEntities: [{ type: 'NAME', match: 'Vronsky', action: 'ANONYMIZED' }] },
      });
      contract.upstream.next({ text: 'It was Vronsky who came.' });
      const { json } = await contract.chat(saying(fresh(), MODEL), { key });
      expect(json.choices[0]).toMatchObject({
        message: { content: 'It was [REDACTED_NAME] who came.' },
        finish_reason: 'stop',
      });
    });

    test('that our rules cut is inspected up to the cut', async () => {
      interveneAt('Oblonsky', {
        sensitiveInformationPolicy: { piiEntities: [{ type: 'NAME', match: 'Oblonsky', action: 'ANONYMIZED' }] },
      });
      const key = await contract.newKey({ policy: { output: { pii: { action: 'redact' } } } });
      contract.upstream.next({ text: 'So said Oblonsky. SVC-TEST-BLOCK-7f3a And no more.' });
      const { json } = await contract.chat(saying(fresh(), MODEL), { key });
      expect(json.choices[0]).toMatchObject({
        message: { content: 'So said [REDACTED_NAME]. ' },
        finish_reason: 'content_filter',
      });
    });

    test.each([
      ['pass', 'stop'],
      ['block', 'content_filter'],
    ])('that they could not judge: %s', async (onDetectorFailure, finishReason) => {
      const key = await contract.newKey({ policy: { onDetectorFailure } });
      const answer = fresh('An answer');
      detectors.answer = ({ json }) => (json.source === 'OUTPUT' ? 'stall' : { json: NOTHING_FOUND });
      contract.upstream.next({ text: answer });
      const { json } = await contract.chat(saying(fresh(), MODEL), { key });
      expect(json.choices[0]).toMatchObject({
        message: { content: onDetectorFailure === 'pass' ? answer : '' },
        finish_reason: finishReason,
      });
      expect(json.svc.coverage.skipped).toEqual([TIMEOUT]);
      expect(json.svc.action).toBe(onDetectorFailure === 'pass' ? 'allow' : 'block');
    });
  });

  describe('a streamed response', () => {
    test('is inspected when complete: findings are flagged, and reported before the end', async () => {
      const key = await contract.newKey({ policy: { output: { toxicity: { action: 'block' } } } });
      const answer = fresh('An answer of several words');
      interveneAt(answer, filtered('HATE', 'HIGH'), 'OUTPUT');
      contract.upstream.next({ text: answer });
      const stream = await contract.stream(
        { ...saying(fresh(), MODEL), stream_options: { include_usage: true } },
        { key },
      );
      expect(stream).toMatchObject({ content: answer, finishReason: 'stop', done: true });
      const [last, usage] = stream.chunks.slice(-2);
      expect(last.svc).toMatchObject({
        action: 'flag',
        detected_threats: [{ rule: 'bedrock-guardrails/hate', action: 'flag', location: { part: 'output' } }],
        coverage: { skipped: ['output: inspected by outside detectors after it was sent'] },
      });
      expect(usage).toMatchObject({ choices: [], usage: expect.anything() });
    });

    test("of Anthropic's API is inspected before its stop reason is sent", async () => {
      const answer = fresh('An answer of several words');
      interveneAt(answer, filtered('HATE', 'HIGH'), 'OUTPUT');
      contract.upstream.next({ text: answer });
      const body = { ...saying(fresh(), MODEL), max_tokens: 50, stream: true };
      const stream = await toMessageStream(await contract.fetch('/messages', JSON.stringify(body)));
      expectGoodOrder(stream);
      expect(stream.blocks).toEqual([answer]);
      expect(stream.events.at(-2)).toMatchObject({
        delta: { stop_reason: 'end_turn' },
        svc: {
          action: 'flag',
          detected_threats: [{ rule: 'bedrock-guardrails/hate', location: { field: 'content[0].text' } }],
        },
      });
    });

    test('is forwarded on arrival, before it is inspected', async () => {
      const patient = await serving({ ...GUARDRAIL, SVC_OUTSIDE_DEADLINE_MS: '25000' });
      const { promise: there, resolve: textIsThere } = Promise.withResolvers<void>();
      detectors.answer = async ({ json }) => {
        if (json.source === 'OUTPUT') await there;
        return { json: NOTHING_FOUND };
      };
      const text = fresh('An answer');
      patient.upstream.next({ text });
      const key = await patient.newKey({ policy: { onDetectorFailure: 'block' } });
      const body = JSON.stringify({ ...saying(fresh(), MODEL), stream: true });
      const response = await patient.fetch('/chat/completions', body, { key });
      const stream = await readUntil(response, /"content":"An/, textIsThere);
      expect(stream).toMatchObject({ content: text, finishReason: 'stop', done: true });
      expect(stream.chunks.at(-1).svc).toMatchObject({ action: 'allow' });
      expect(JSON.stringify(stream.chunks.at(-1).svc)).not.toContain(TIMEOUT);
    });

    test('does not wait for a silent detector', async () => {
      detectors.answer = ({ json }) => (json.source === 'OUTPUT' ? 'stall' : { json: NOTHING_FOUND });
      contract.upstream.next({ text: fresh('An answer') });
      const key = await contract.newKey({ policy: { onDetectorFailure: 'block' } });
      const stream = await contract.stream(saying(fresh(), MODEL), { key });
      expect(stream).toMatchObject({ finishReason: 'stop', done: true });
      expect(stream.chunks.at(-1).svc).toMatchObject({
        action: 'allow',
        coverage: { skipped: expect.arrayContaining([TIMEOUT]) },
      });
    });

    test('of two choices ends both', async () => {
      const text = fresh();
      const request = { ...saying(text, 'echo'), n: 2, stream_options: { include_usage: true } };
      const { chunks, done } = await contract.stream(request);
      const ends = chunks.flatMap(({ choices }) => choices).filter((choice) => choice.finish_reason === 'stop');
      expect(ends.map(({ index }) => index)).toEqual([0, 1]);
      expect([chunks.at(-1).choices, done]).toEqual([[], true]);
      expect(askedTexts().map(([source]) => source)).toEqual(['INPUT', 'OUTPUT', 'OUTPUT']);
    });

    test('that our rules cut ends at once', async () => {
      contract.upstream.next({ text: 'All is well. SVC-TEST-BLOCK-7f3a And no more.' });
      const stream = await contract.stream(saying(fresh(), MODEL));
      expect(stream).toMatchObject({ content: 'All is well. ', finishReason: 'content_filter', done: true });
      expect(askedTexts().filter(([source]) => source === 'OUTPUT')).toEqual([]);
    });
  });

  testThatNothingIsLogged(() => contract);
});
