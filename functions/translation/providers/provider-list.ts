import type { ProviderCapabilities, StoredProvider } from '../../kernel/configuration/index.ts';
import type { HttpClient } from '../../kernel/http/index.ts';
import type { BedrockRuntime, ChatCall, ChatProvider } from '../routing/index.ts';
import { AnthropicProvider } from './anthropic/anthropic-provider.ts';
import { BedrockProvider } from './bedrock/bedrock-provider.ts';
import { MISTRAL_NAMES } from './fit-names.ts';
import { GeminiProvider } from './gemini/gemini-provider.ts';
import { OpenAiProvider, type OwnApi, readAccounts, readAzureApi } from './openai/openai-provider.ts';
import { offAtTogether, placeAtTogether, placeByModel, thinkingOffByModel } from './openai/reasoning.ts';
import { COMMON_DIALECT, type Dialect, OPENAI_DIALECT } from './openai/to-openai-request.ts';
import { VertexProvider } from './vertex/vertex-provider.ts';

/** What a provider is created with. */
export interface ProviderContext {
  readonly name: string;
  /** Whether it is called without a key too. */
  readonly keyless?: boolean;
  readonly capabilities?: ProviderCapabilities | undefined;
  readonly http: HttpClient;
  /** That of the call, or of the settings. Read at every call, so that a rotated key takes effect immediately. */
  readonly apiKey: (call?: Pick<ChatCall, 'apiKey'>) => Promise<string | undefined>;
  /** Where an operator sets the key, for errors. */
  readonly keyVariable: string;
  /** Without a trailing slash; empty if none is known. */
  readonly baseUrl: string;
  readonly headTimeoutMs: number;
  readonly idleTimeoutMs: number;
  /** Another setting of the provider, such as `API_VERSION`. */
  readonly setting: (name: string) => string | undefined;
  readonly bedrock: {
    /** Whether there are AWS credentials to sign calls with. */
    readonly keyless: boolean;
    readonly runtime: (endpoint: string) => BedrockRuntime;
  };
}

/** A provider: its settings are `<PREFIX>_API_KEY` and `<PREFIX>_BASE_URL`. */
export interface ProviderEntry {
  readonly name: string;
  readonly protocol: StoredProvider['protocol'];
  /** Default: its name in capitals. */
  readonly prefix?: string;
  /** Calls are made without a key too. */
  readonly keyless?: true;
  /** The default address; undefined: the provider exists only if a deployment sets one. */
  readonly address: string | undefined;
  create(context: ProviderContext): ChatProvider;
}

/** A server of OpenAI's protocol. */
export interface CompatibleProvider {
  readonly name: string;
  /** The default address; undefined: the provider exists only if a deployment sets one. */
  readonly address: string | undefined;
  /** Calls are made without a key too: self-hosted servers often have none. */
  readonly keyless?: true;
  readonly dialect?: Partial<Dialect>;
  readonly ownApi?: OwnApi;
}

/** Servers of which only the models are known. */
export const BY_MODEL: Partial<Dialect> = { reasoningOf: placeByModel, thinkingOff: thinkingOffByModel };

/** Providers of OpenAI's protocol. `npm run generate providers` and `npm run generate reference` add new ones to the docs. */
export const COMPATIBLE_PROVIDERS: readonly CompatibleProvider[] = [
  // It refuses `stream_options` with 422: https://github.com/BerriAI/litellm/issues/8978
  {
    name: 'mistral',
    address: 'https://api.mistral.ai/v1',
    dialect: {
      streamOptions: false,
      names: MISTRAL_NAMES,
      // Members that it does not define are a 422: https://github.com/BerriAI/litellm/issues/30835
      reasoningOf: (model) => (/magistral/i.test(model) ? 'thinking' : 'refused'),
    },
  },
  {
    name: 'cohere',
    address: 'https://api.cohere.ai/compatibility/v1',
    // https://docs.cohere.com/reference/list-models and https://docs.cohere.com/reference/rerank
    ownApi: { models: '/v1/models?page_size=1000', rerank: '/v2/rerank' },
  },
  // It refuses `reasoning_content` with 400: https://github.com/janhq/jan/issues/8136
  { name: 'groq', address: 'https://api.groq.com/openai/v1', dialect: { reasoningOf: () => 'refused' } },
  {
    name: 'deepseek',
    address: 'https://api.deepseek.com/v1',
    dialect: { reasoningOf: () => 'reasoning_content', thinkingOff: thinkingOffByModel },
  },
  // Its chat completions have no member for reasoning: https://docs.x.ai/developers/model-capabilities/text/best-practices
  { name: 'xai', address: 'https://api.x.ai/v1' },
  {
    name: 'together',
    address: 'https://api.together.xyz/v1',
    dialect: { reasoningOf: placeAtTogether, thinkingOff: offAtTogether },
  },
  // Models that do not reason ignore it (https://docs.fireworks.ai/guides/reasoning); other members are a 400:
  // https://github.com/QwenLM/qwen-code/issues/11657
  {
    name: 'fireworks',
    address: 'https://api.fireworks.ai/inference/v1',
    dialect: { reasoningOf: () => 'reasoning_content alone', thinkingOff: thinkingOffByModel },
  },
  // https://openrouter.ai/docs/sdks/typescript/models/chatgenerationparams and /docs/guides/best-practices/reasoning-tokens
  {
    name: 'openrouter',
    address: 'https://openrouter.ai/api/v1',
    dialect: { labels: ['session_id'], reasoningOf: () => 'reasoning' },
  },
  { name: 'perplexity', address: 'https://api.perplexity.ai' },
  // https://inference-docs.cerebras.ai/resources/openai
  { name: 'cerebras', address: 'https://api.cerebras.ai/v1' },
  // https://docs.sambanova.ai/docs/en/features/openai-compatibility
  { name: 'sambanova', address: 'https://api.sambanova.ai/v1', dialect: BY_MODEL },
  // https://build.nvidia.com, https://docs.nvidia.com/nim/large-language-models/latest/reference/api-reference
  { name: 'nvidia', address: 'https://integrate.api.nvidia.com/v1', dialect: BY_MODEL },
  // Names such as `openai/gpt-oss-120b:groq`: https://huggingface.co/changelog/inference-providers-openai-compatible
  { name: 'huggingface', address: 'https://router.huggingface.co/v1', dialect: BY_MODEL },
  // https://platform.kimi.ai/docs/api/overview; China: https://api.moonshot.cn/v1
  { name: 'moonshot', address: 'https://api.moonshot.ai/v1', dialect: BY_MODEL },
  // https://www.alibabacloud.com/help/en/model-studio/compatibility-of-openai-with-dashscope has other regions' addresses.
  { name: 'dashscope', address: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1', dialect: BY_MODEL },
  // `max_tokens` is deprecated: https://platform.minimax.io/docs/api-reference/text-openai-api
  {
    name: 'minimax',
    address: 'https://api.minimax.io/v1',
    dialect: { maxTokensField: 'max_completion_tokens' },
  },
  // https://docs.z.ai/api-reference/introduction
  { name: 'zai', address: 'https://api.z.ai/api/paas/v4', dialect: BY_MODEL },
  // Of a workspace, ending in `/serving-endpoints`: https://docs.databricks.com/aws/en/machine-learning/model-serving/score-foundation-models
  { name: 'databricks', address: undefined, dialect: BY_MODEL },
  // Of an account, ending in `/api/v2/cortex/v1`: https://docs.snowflake.com/en/user-guide/snowflake-cortex/cortex-rest-api
  { name: 'snowflake', address: undefined, dialect: BY_MODEL },
  // Of an account, ending in `/ai/v1`: https://developers.cloudflare.com/workers-ai/configuration/open-ai-compatibility
  { name: 'cloudflare', address: undefined, dialect: BY_MODEL },
  // Of a resource, ending in `/openai/v1`: https://learn.microsoft.com/azure/foundry/foundry-models/concepts/endpoints
  { name: 'foundry', address: undefined, dialect: BY_MODEL },
  // `Message.Reasoning` in github.com/ollama/ollama/blob/main/openai/openai.go
  {
    name: 'ollama',
    address: 'http://127.0.0.1:11434/v1',
    keyless: true,
    dialect: { reasoningOf: () => 'reasoning' },
  },
  // https://docs.vllm.ai/en/stable/features/reasoning_outputs/
  { name: 'vllm', address: undefined, keyless: true, dialect: { reasoningOf: () => 'reasoning' } },
  // https://docs.sglang.io/docs/basic_usage/openai_api_completions.md
  { name: 'sglang', address: undefined, keyless: true, dialect: BY_MODEL },
  // https://lmstudio.ai/docs/api/openai-api
  { name: 'lmstudio', address: undefined, keyless: true, dialect: BY_MODEL },
];

const REGION = /^[a-z0-9-]{1,63}$/;

/** Every provider except `echo` and those that a deployment names. OpenAI's base address ends in `/v1`, Anthropic's does not. */
export const PROVIDERS: readonly ProviderEntry[] = [
  {
    name: 'openai',
    protocol: 'openai',
    address: 'https://api.openai.com/v1',
    create: (context) =>
      new OpenAiProvider({
        ...context,
        dialect: OPENAI_DIALECT,
        allowsAccount: readAccounts(context.setting('ACCOUNTS'), 'OPENAI_ACCOUNTS'),
      }),
  },
  {
    name: 'anthropic',
    protocol: 'anthropic',
    address: 'https://api.anthropic.com',
    create: (context) => new AnthropicProvider({ ...context, workspaceId: context.capabilities?.workspaceId }),
  },
  {
    // Claude Platform on AWS: https://docs.aws.amazon.com/claude-platform/latest/userguide/making-requests.html
    name: 'claude-aws',
    protocol: 'anthropic',
    address: undefined,
    create: (context) => {
      const workspaceId = context.capabilities?.workspaceId ?? context.setting('WORKSPACE_ID')?.trim() ?? '';
      return new AnthropicProvider({ ...context, workspaceId });
    },
  },
  {
    name: 'gemini',
    protocol: 'gemini',
    address: 'https://generativelanguage.googleapis.com',
    create: (context) => new GeminiProvider(context),
  },
  {
    name: 'azure',
    protocol: 'azure',
    // The prefix in Azure's own libraries.
    prefix: 'AZURE_OPENAI',
    address: undefined,
    create: (context) => {
      const azure = readAzureApi(context.setting('API_VERSION'), 'AZURE_OPENAI_API_VERSION');
      return new OpenAiProvider({ ...context, dialect: OPENAI_DIALECT, azure });
    },
  },
  {
    name: 'vertex',
    protocol: 'vertex',
    address: undefined,
    create: (context) => new VertexProvider(context),
  },
  {
    name: 'bedrock',
    protocol: 'bedrock',
    // The AWS SDK derives it from the region.
    address: '',
    create: ({
      baseUrl,
      setting,
      bedrock: { keyless, runtime },
      name,
      apiKey,
      keyVariable,
      headTimeoutMs,
      idleTimeoutMs,
    }) => {
      const region = setting('REGION')?.trim();
      if (region && !REGION.test(region)) throw new Error('BEDROCK_REGION: a region is a name such as eu-central-1');
      const timeouts = { headTimeoutMs, idleTimeoutMs };
      return new BedrockProvider({ name, keyless, apiKey, keyVariable, ...timeouts, runtime: runtime(baseUrl) });
    },
  },
  ...COMPATIBLE_PROVIDERS.map(toEntry),
];

/** The entry of a server of OpenAI's protocol. */
export function toEntry({ name, address, keyless, dialect, ownApi }: CompatibleProvider): ProviderEntry {
  return {
    ...{ name, address, protocol: 'openai' },
    ...(keyless && { keyless }),
    create: (context) =>
      new OpenAiProvider({
        ...{ ...context, ownApi, keyless: keyless ?? context.keyless ?? false },
        dialect: { ...COMMON_DIALECT, ...dialect },
      }),
  };
}
