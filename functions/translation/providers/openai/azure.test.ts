import { describe, expect, it } from '@jest/globals';
import type { HttpRequest, HttpResponse } from '../../../kernel/http/index.ts';
import { BODY, callOf } from './openai-provider.fixture.ts';
import { azureUrl, OpenAiProvider, readAzureApi } from './openai-provider.ts';
import { OPENAI_DIALECT } from './to-openai-request.ts';

describe('Azure', () => {
  const RESOURCE = 'https://mine.openai.azure.com';
  const url = (version: string | undefined, resource = RESOURCE, deployment = 'my-gpt') =>
    azureUrl(readAzureApi(version, 'VERSION'), resource, '/chat/completions', deployment);

  describe('the URL of a deployment', () => {
    it.each([
      [undefined, `${RESOURCE}/openai/v1/chat/completions`],
      ['', `${RESOURCE}/openai/v1/chat/completions`],
      ['preview', `${RESOURCE}/openai/v1/chat/completions?api-version=preview`],
      ['2024-10-21', `${RESOURCE}/openai/deployments/my-gpt/chat/completions?api-version=2024-10-21`],
      ['2025-04-01-preview', `${RESOURCE}/openai/deployments/my-gpt/chat/completions?api-version=2025-04-01-preview`],
    ])('by version %j', (version, expected) => expect(url(version)).toBe(expected));

    it.each([
      ['openai-images', 'images/generations'],
      ['openai-image-edits', 'images/edits'],
      ['openai-transcriptions', 'audio/transcriptions'],
      ['openai-translations', 'audio/translations'],
      ['openai-speech', 'audio/speech'],
    ] as const)('by operation: %s', async (operation, path) => {
      const urls: string[] = [];
      const send = async ({ url }: HttpRequest): Promise<HttpResponse> => {
        urls.push(url);
        async function* body() {
          yield Buffer.from('{}');
        }
        return { status: 200, headers: { 'content-type': 'audio/mpeg' }, body: body() };
      };
      const azure = readAzureApi('2025-04-01-preview', 'VERSION');
      const options = {
        name: 'azure',
        dialect: OPENAI_DIALECT,
        keyVariable: 'KEY',
        headTimeoutMs: 1,
        idleTimeoutMs: 1,
      };
      const subject = new OpenAiProvider({
        ...options,
        azure,
        http: { send },
        apiKey: async () => 'k',
        baseUrl: RESOURCE,
      });
      await subject.complete({ ...callOf(BODY, 'mine'), operation });
      expect(urls).toEqual([`${RESOURCE}/openai/deployments/mine/${path}?api-version=2025-04-01-preview`]);
    });

    it.each(['/openai', '/openai/v1'])('ignores a path at the end of the address: %s', (ending) => {
      for (const version of [undefined, '2024-10-21']) expect(url(version, RESOURCE + ending)).toBe(url(version));
    });

    it.each(['..', '../a', 'a?b', 'a b', ''])('is refused for the name %j in each version', (name) => {
      for (const version of ['2024-10-21', undefined]) {
        expect(() => url(version, RESOURCE, name)).toThrow(expect.objectContaining({ code: 'invalid_value' }));
      }
    });

    it.each(['newest', '2024', '2024-10-21&x=1', '2024-10-21-beta'])('is refused for version %j', (version) =>
      expect(() => url(version)).toThrow(/^VERSION: /),
    );
  });
});
