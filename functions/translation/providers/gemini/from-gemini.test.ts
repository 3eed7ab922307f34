import { expect, it } from '@jest/globals';
import { Translation } from '../../routing/index.ts';
import { fromGemini, GeminiChunkReader } from './from-gemini.ts';

it.each([
  [
    [{ text: 'Hi' }, { functionCall: { name: 'f' }, thoughtSignature: 'c2ln' }, { text: '', thoughtSignature: 's' }],
    [],
  ],
  [[{ text: 'Hm', thought: true }, { text: 'Hi' }], []],
  [[{ text: 'Hi' }, { inlineData: { mimeType: 'image/png', data: 'AA==' } }], ['inlineData']],
  [
    [{ executableCode: { code: '1' } }, { codeExecutionResult: { output: '1' } }, { executableCode: { code: '2' } }],
    ['executableCode', 'codeExecutionResult'],
  ],
  [
    [{ fileData: { fileUri: 'x' }, mediaResolution: {} }, { 'planted name': {} }],
    ['fileData', 'unknown'],
  ],
])(
  'each part that is left out has a warning, whole and streamed, also if the translation is strict: %j',
  (parts, lost) => {
    const body = JSON.stringify({ candidates: [{ content: { parts }, finishReason: 'STOP' }] });
    const [whole, streamed] = [new Translation('acme', true), new Translation('acme', true)];
    fromGemini(body, 'm', whole);
    new GeminiChunkReader('m', streamed).read(body);
    for (const { warnings } of [whole, streamed]) {
      expect(warnings.map(({ code, field }) => [code, field])).toEqual(lost.map((field) => ['field_dropped', field]));
      for (const { message } of warnings) expect(message).toMatch(/^The response of the provider acme has a part /);
    }
  },
);
