/** Where OpenTelemetry's conventions name a provider otherwise: https://github.com/open-telemetry/semantic-conventions-genai */
const WELL_KNOWN: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  gemini: 'gcp.gemini',
  mistral: 'mistral_ai',
  xai: 'x_ai',
};

/** The value of `gen_ai.provider.name`; our own name where the conventions have none. */
export function providerNameOf(provider: string): string {
  return WELL_KNOWN[provider] ?? provider;
}

/** Where the conventions have a word for what a route does; `moderation` and the like are ours. */
const OPERATIONS: readonly (readonly [path: string, operation: string])[] = [
  ['/v1/chat/completions', 'chat'],
  ['/v1/messages/count_tokens', 'count_tokens'],
  ['/v1/messages', 'chat'],
  ['/v1/responses', 'chat'],
  ['/v1/completions', 'text_completion'],
  ['/v1/embeddings', 'embeddings'],
  ['/v1/images/generations', 'image_generation'],
  ['/v1/audio/transcriptions', 'transcription'],
  ['/v1/moderations', 'moderation'],
  ['/v1/guard', 'guard'],
];

/** The value of `gen_ai.operation.name` for a route's path. */
export function operationOf(route: string): string {
  return OPERATIONS.find(([path]) => path === route)?.[1] ?? 'generate_content';
}
