import { type ImportedProviders, vertexAddress } from './imported-providers.ts';
import { type Members, textOf } from './members.ts';
import type { Report } from './report.ts';

/** LiteLLM's prefixes of models whose provider has another name here: https://docs.litellm.ai/docs/providers */
const NAMES = new Map(
  Object.entries({
    'text-completion-openai': 'openai',
    anthropic_text: 'anthropic',
    azure_text: 'azure',
    azure_ai: 'foundry',
    bedrock_converse: 'bedrock',
    cohere_chat: 'cohere',
    fireworks_ai: 'fireworks',
    hosted_vllm: 'vllm',
    lm_studio: 'lmstudio',
    nvidia_nim: 'nvidia',
    ollama_chat: 'ollama',
    together_ai: 'together',
    vertex_ai: 'vertex',
    vertex_ai_beta: 'vertex',
  }),
);
/** Addresses that LiteLLM (1.110.2) has for servers of OpenAI's protocol which svc does not know by name. */
const ADDRESSES = new Map(
  Object.entries({
    baseten: 'https://inference.baseten.co/v1',
    deepinfra: 'https://api.deepinfra.com/v1/openai',
    featherless_ai: 'https://api.featherless.ai/v1',
    friendliai: 'https://api.friendli.ai/serverless/v1',
    hyperbolic: 'https://api.hyperbolic.xyz/v1',
    lambda_ai: 'https://api.lambda.ai/v1',
    meta_llama: 'https://api.llama.com/compat/v1',
    nebius: 'https://api.studio.nebius.ai/v1',
    novita: 'https://api.novita.ai/v3/openai',
    scaleway: 'https://api.scaleway.ai/v1',
    vercel_ai_gateway: 'https://ai-gateway.vercel.sh/v1',
    volcengine: 'https://ark.cn-beijing.volces.com/api/v3',
  }),
);
const VARIABLE = /^os\.environ\/([A-Za-z_]\w*)$/;

/** The model at its provider, as `provider/model` of LiteLLM; undefined: there is no prefix. */
export function splitModel(model: string, provider: unknown): readonly [prefix: string | undefined, model: string] {
  const named = textOf(provider);
  const [prefix = '', ...rest] = model.split('/');
  if (named !== undefined) return [named, prefix === named && rest.length > 0 ? rest.join('/') : model];
  return rest.length === 0 ? [undefined, model] : [prefix, rest.join('/')];
}

/** The providers of `litellm_params`. */
export class LitellmProviders {
  private readonly providers: ImportedProviders;
  private readonly report: Report;
  private readonly env: Readonly<Record<string, string | undefined>>;

  constructor(providers: ImportedProviders, report: Report, env: Readonly<Record<string, string | undefined>>) {
    this.providers = providers;
    this.report = report;
    this.env = env;
  }

  /** The provider of a deployment, by the name that routes call; undefined if it cannot be called: the report says why. */
  of(prefix: string, model: string, params: Members, place: string): string | undefined {
    const name = NAMES.get(prefix) ?? prefix;
    const given = this.valueOf(params.api_base ?? params.base_url ?? ADDRESSES.get(prefix), `${place}.api_base`);
    const ofVertex = name === 'vertex' ? this.vertexAddressOf(params, place) : undefined;
    const region = name === 'bedrock' ? textOf(params.aws_region_name) : undefined;
    const ofRegion = region && !VARIABLE.test(region) ? `https://bedrock-runtime.${region}.amazonaws.com` : undefined;
    const account = textOf(params.api_key) ?? '';
    const keyName = VARIABLE.exec(account)?.[1];
    return this.providers.of({
      name,
      model,
      address: given === undefined ? (ofRegion ?? ofVertex) : given,
      account,
      keyName,
      place,
    });
  }

  private vertexAddressOf(params: Members, place: string): string | null | undefined {
    const project = this.valueOf(params.vertex_project, `${place}.vertex_project`);
    const location = this.valueOf(params.vertex_location, `${place}.vertex_location`);
    return project === null || location === null ? null : vertexAddress(project, location);
  }

  /** The value of a setting, also of a variable that is set here; null: the variable is not set. */
  private valueOf(value: unknown, place: string): string | null | undefined {
    const text = textOf(value);
    const variable = VARIABLE.exec(text ?? '')?.[1];
    if (variable === undefined) return text;
    const set = textOf(this.env[variable]);
    if (set === undefined) {
      this.report.adjusted(
        place,
        `the variable is not set here: run the import with it, or set the provider's base URL.`,
      );
      return null;
    }
    return set;
  }
}
