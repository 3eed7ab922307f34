import { PROVIDERS } from '../../functions/translation/index.ts';
import type { CredentialEntry } from '../admin/config-credentials.ts';
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
  }),
);
/** Prefixes of servers of OpenAI's protocol, which have an address. */
const OPEN = ['openai_like', 'custom_openai', 'litellm_proxy', 'openai-compatible'];
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
const VERTEX = ['vertex_ai', 'vertex_ai_beta'];
const KNOWN = new Map(PROVIDERS.map((entry) => [entry.name, entry]));
const VARIABLE = /^os\.environ\/([A-Za-z_]\w*)$/;
const NAME_CHARS = 32;

export interface ProviderFile {
  readonly providers: Members[];
  readonly credentials: CredentialEntry[];
}

interface Reached {
  readonly name: string;
  readonly protocol: (typeof PROVIDERS)[number]['protocol'];
  /** As our providers have it; undefined: the default. */
  readonly baseUrl: string | undefined;
  /** Distinguishes accounts: a variable, or the value itself, which is only compared. */
  readonly account: string;
}

/** The model at its provider, as `provider/model` of LiteLLM; undefined: there is no prefix. */
export function splitModel(model: string, provider: unknown): readonly [prefix: string | undefined, model: string] {
  const named = textOf(provider);
  const [prefix = '', ...rest] = model.split('/');
  if (named !== undefined) return [named, prefix === named && rest.length > 0 ? rest.join('/') : model];
  return rest.length === 0 ? [undefined, model] : [prefix, rest.join('/')];
}

/** Collects the providers that deployments of models call: one of ours for each address and account. */
export class LitellmProviders {
  private readonly report: Report;
  private readonly env: Readonly<Record<string, string | undefined>>;
  private readonly found: (Reached & { readonly called: string })[] = [];
  private readonly file: ProviderFile = { providers: [], credentials: [] };

  constructor(report: Report, env: Readonly<Record<string, string | undefined>>) {
    this.report = report;
    this.env = env;
  }

  /** The providers and credentials of a configuration file. */
  get entries(): ProviderFile {
    return this.file;
  }

  /**
   * The provider of a deployment, by the name that routes call.
   * @param params `litellm_params` @returns undefined if it cannot be called; the report says why
   */
  of(prefix: string, model: string, params: Members, place: string): string | undefined {
    const name = NAMES.get(prefix) ?? prefix;
    const given = this.valueOf(params.api_base ?? params.base_url ?? ADDRESSES.get(prefix), `${place}.api_base`);
    if (VERTEX.includes(prefix)) {
      this.report.skipped(place, "Vertex AI's own protocol is not served. Add its OpenAI endpoint as a provider.");
      return undefined;
    }
    const known = KNOWN.get(name);
    if (known === undefined && (given === undefined || given === null)) {
      const reason =
        OPEN.includes(prefix) || given === null
          ? 'its address is not known'
          : `no provider '${prefix}', and no address`;
      this.report.skipped(place, `${reason}.`);
      return undefined;
    }
    const isClaude = name === 'foundry' && model.startsWith('claude');
    const protocol = isClaude ? 'anthropic' : (known?.protocol ?? 'openai');
    const region = name === 'bedrock' ? textOf(params.aws_region_name) : undefined;
    const address =
      given ?? (region && !VARIABLE.test(region) ? `https://bedrock-runtime.${region}.amazonaws.com` : undefined);
    const baseUrl = typeof address === 'string' ? toBaseUrl(address, isClaude ? 'claude' : name) : undefined;
    if (typeof address === 'string' && baseUrl === undefined) {
      this.report.skipped(place, 'its api_base is no address.');
      return undefined;
    }
    const other = baseUrl === known?.address ? undefined : baseUrl;
    // Our name of a provider stays with its own address.
    const isElsewhere = other !== undefined && !isClaude && known?.address?.startsWith('https:') === true;
    const reached = {
      name: shortName(isClaude ? `${name}-claude` : isElsewhere ? `${name}-${new URL(other).host}` : name),
      protocol,
      baseUrl: other,
      account: textOf(params.api_key) ?? '',
    };
    const same = this.found.find(
      (one) => one.name === reached.name && one.baseUrl === reached.baseUrl && one.account === reached.account,
    );
    if (same !== undefined) return same.called;
    const called = this.freeName(reached.name);
    this.found.push({ ...reached, called });
    this.add(called, reached, place);
    return called;
  }

  private freeName(name: string): string {
    const taken = (one: string) => this.found.some(({ called }) => called === one);
    if (!taken(name)) return name;
    let number = 2;
    while (taken(`${name.slice(0, NAME_CHARS - 4)}-${number}`)) number += 1;
    return `${name.slice(0, NAME_CHARS - 4)}-${number}`;
  }

  /** Writes what the file has of a provider, and what is left to do. */
  private add(called: string, { protocol, baseUrl, account }: Reached, place: string): void {
    const known = KNOWN.get(called);
    const address = baseUrl ?? KNOWN.get(this.found.at(-1)?.name ?? '')?.address;
    const variable = VARIABLE.exec(account)?.[1];
    if (account !== '' && variable === undefined) {
      const reason =
        'the file has a key. Keys are not copied: add it as the command below says, and make a new one at the provider.';
      this.report.skipped(`${place}.api_key`, reason);
    }
    const prefix = known?.prefix ?? called.toUpperCase().replaceAll('-', '_');
    const isOfSettings = known !== undefined && baseUrl === undefined;
    if (isOfSettings || address === undefined || !isPublic(address)) {
      const key = known?.name === 'bedrock' ? 'AWS credentials' : `${prefix}_API_KEY`;
      const own = known === undefined ? `SVC_PROVIDERS with ${called}, ` : '';
      const base = address === undefined || isOfSettings ? '' : `${prefix}_BASE_URL=${address}`;
      const missing = known !== undefined && known.address === undefined && base === '' ? `${prefix}_BASE_URL` : base;
      const needs = [missing, known?.keyless && account === '' ? '' : key].filter((one) => one !== '');
      if (needs.length > 0)
        this.report.step(
          `Set ${own}${needs.join(' and ')}${variable === undefined || variable === key ? '' : ` (${variable} in LiteLLM)`}.`,
        );
      return;
    }
    const needsKey = account !== '' || (protocol !== 'bedrock' && known?.keyless !== true);
    this.file.providers.push({ name: called, protocol, baseUrl: address, ...(needsKey && { credentialId: called }) });
    if (!needsKey) return;
    const { host } = new URL(address);
    this.file.credentials.push({ name: called, provider: called, hosts: [host], type: 'sealed' } as CredentialEntry);
    this.report.step(
      `npm run --silent admin -- credentials create ${called} "${called}" --hosts ${host}${variable === undefined ? '' : `   # the key of ${variable}`}`,
    );
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

/** A name of a provider. */
function shortName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .slice(0, NAME_CHARS);
}

/** LiteLLM's address of a provider as our providers have it; undefined if it is none. */
function toBaseUrl(address: string, provider: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, origin, pathname } = new URL(address);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  const path = pathname.replace(/\/+$/, '');
  switch (provider) {
    case 'azure':
    case 'bedrock':
      return origin;
    case 'foundry':
      return `${origin}/openai/v1`;
    case 'claude':
      return `${origin}/anthropic`;
    case 'anthropic':
    case 'gemini':
      return `${origin}${path.replace(/\/v1(?:beta|\/messages)?$/, '')}`;
    case 'ollama':
      return path === '' ? `${origin}/v1` : `${origin}${path}`;
    default:
      return `${origin}${path.replace(/\/(?:chat\/)?completions$/, '')}`;
  }
}

/** Whether the admin API may store it: addresses inside of a network come from the settings only. */
function isPublic(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  const isName = /\.[a-z]{2,}$/i.test(hostname) && !/\.(?:local|internal|localhost|lan|corp|home)$/i.test(hostname);
  return protocol === 'https:' && isName;
}
