import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { finish } from '../../../kernel/tasks/index.ts';
import { costOf } from '../../routing/cost.ts';
import { ModelCatalog } from '../../routing/index.ts';
import { SPEECH_PROTOCOL, type SpeechRequest } from './speech-protocol.ts';

const { boundInputTokens, boundOutputTokens, unseenUsage, namedIds } = SPEECH_PROTOCOL;
const namedIn = namedIds as NonNullable<typeof namedIds>;

describe('speech', () => {
  it('reserves at least the usage that is settled without a report', () => {
    const requests = fc.record(
      {
        input: fc.string({ unit: 'grapheme', minLength: 1 }),
        instructions: fc.string({ unit: 'grapheme' }),
        speed: fc.double({ min: 0.25, max: 4, noNaN: true }),
      },
      { requiredKeys: ['input'] },
    );
    fc.assert(
      fc.property(requests, fc.constantFrom('tts-1', 'openai/tts-1-hd', 'gpt-4o-mini-tts'), (fields, model) => {
        const body: SpeechRequest = { model, ...fields };
        const { inputTokens = 0, outputTokens = 0 } = unseenUsage?.(body, model) ?? {};
        expect(boundInputTokens(body, undefined, model)).toBeGreaterThanOrEqual(inputTokens);
        expect(boundOutputTokens?.(body, model, 0)).toBeGreaterThanOrEqual(outputTokens);
      }),
    );
  });

  it('counts audio tokens by the length of the text and the speed; tts-1 has none', () => {
    const output = (fields: object, model: string) =>
      unseenUsage?.({ model, input: 'a'.repeat(1_000), ...fields }, model)?.outputTokens;
    expect(output({}, 'gpt-4o-mini-tts')).toBe(1_500);
    expect(output({ speed: 0.5 }, 'gpt-4o-mini-tts')).toBe(3_000);
    expect(output({ speed: 4 }, 'gpt-4o-mini-tts')).toBe(1_500);
    expect(output({}, 'tts-1-hd')).toBe(0);
  });

  it('of a model billed by the character costs its price, if the price of input is four times that', () => {
    // tts-1: 15 dollars for a million characters (docs/clients.md).
    const models = new ModelCatalog({ 'openai/tts-1': { input: 60, output: 0 } });
    const usage = unseenUsage?.({ model: 'tts-1', input: 'a'.repeat(4_096) }, 'tts-1') ?? null;
    expect(costOf(models.find('openai', 'tts-1'), usage)).toBe(4_096 * 15_000);
  });

  it('names custom voices, and no other voice', () => {
    const ids = (voice: unknown) => finish(namedIn({ voice })).map(({ id, param }) => [id, param]);
    expect(ids({ id: 'voice_1' })).toEqual([['voice_1', 'voice.id']]);
    expect(ids('voice_1')).toEqual([['voice_1', 'voice']]);
    expect([ids('alloy'), ids(undefined), ids({})]).toEqual([[], [], []]);
  });
});
