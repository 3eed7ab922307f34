import type { ProviderCapabilities } from '../../../kernel/configuration/index.ts';
import type { OperationName } from '../../protocols/protocol.ts';
import type { Dialect } from './to-openai-request.ts';

type Endpoint = NonNullable<ProviderCapabilities['endpoints']>[number];

/** What a server must serve for an operation; chats in other protocols are translated. */
const ENDPOINT_OF: Readonly<Partial<Record<OperationName, Endpoint>>> = {
  'openai-chat': 'chat',
  'openai-completions': 'completions',
  'openai-embeddings': 'embeddings',
  'openai-images': 'images',
  'openai-image-edits': 'images',
  'openai-transcriptions': 'audio',
  'openai-translations': 'audio',
  'openai-speech': 'audio',
};

/** The server's dialect with the differences that an administrator has set. */
export function withCapabilities(dialect: Dialect, capabilities: ProviderCapabilities = {}): Dialect {
  const { endpoints, strictTools, reasoning, streamUsage, maxTokensField } = capabilities;
  return {
    ...dialect,
    ...(endpoints && { responses: endpoints.includes('responses'), rerank: endpoints.includes('rerank') }),
    ...(strictTools !== undefined && { strictTools }),
    ...(reasoning && { reasoningOf: () => reasoning }),
    ...(streamUsage !== undefined && { streamOptions: streamUsage }),
    ...(maxTokensField && { maxTokensField }),
  };
}

/** Whether a server with these endpoints serves an operation of OpenAI's protocol. */
export function isServed(operation: OperationName, { endpoints }: ProviderCapabilities = {}): boolean {
  const endpoint = ENDPOINT_OF[operation];
  return endpoints === undefined || endpoint === undefined || endpoints.includes(endpoint);
}
