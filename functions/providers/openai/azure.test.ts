import { describe, expect, it } from '@jest/globals';
import { azureUrl, readAzureApi } from './azure.ts';

const RESOURCE = 'https://mine.openai.azure.com';
const url = (version: string | undefined, resource = RESOURCE, deployment = 'my-gpt') =>
  azureUrl(readAzureApi(version, 'VERSION'), resource, '/chat/completions', deployment);

describe('where a deployment is', () => {
  it.each([
    [undefined, `${RESOURCE}/openai/v1/chat/completions`],
    ['', `${RESOURCE}/openai/v1/chat/completions`],
    ['preview', `${RESOURCE}/openai/v1/chat/completions?api-version=preview`],
    ['2024-10-21', `${RESOURCE}/openai/deployments/my-gpt/chat/completions?api-version=2024-10-21`],
    ['2025-04-01-preview', `${RESOURCE}/openai/deployments/my-gpt/chat/completions?api-version=2025-04-01-preview`],
  ])('by version %j', (version, expected) => expect(url(version)).toBe(expected));

  it.each(['/openai', '/openai/v1'])('whatever of the path the address has already: %s', (ending) => {
    for (const version of [undefined, '2024-10-21']) expect(url(version, RESOURCE + ending)).toBe(url(version));
  });

  it.each(['..', '../a', 'a?b', 'a b', ''])('is nowhere for the name %j, whichever version', (name) => {
    for (const version of ['2024-10-21', undefined]) {
      expect(() => url(version, RESOURCE, name)).toThrow(expect.objectContaining({ code: 'invalid_value' }));
    }
  });

  it.each(['newest', '2024', '2024-10-21&x=1', '2024-10-21-beta'])('is not asked of version %j', (version) =>
    expect(() => url(version)).toThrow(/^VERSION: /),
  );
});
