import { PROVIDERS } from '../../functions/translation/index.ts';
import type { CredentialEntry } from '../admin/config-credentials.ts';
import type { Members } from './members.ts';
import type { Report } from './report.ts';

const KNOWN = new Map(PROVIDERS.map((entry) => [entry.name, entry]));
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

/** What a deployment of another gateway calls. */
export interface Called {
  /** Our name of its provider, or else the other gateway's. */
  readonly name: string;
  readonly model: string;
  /** undefined: the provider's own; null: not known. */
  readonly address: string | null | undefined;
  /** Distinguishes accounts of a provider; it is only compared. Empty: the usual one. */
  readonly account: string;
  /** What the account's key is called there; undefined: the file has the key itself, or none. */
  readonly keyName?: string | undefined;
  /** Of the deployment in the file. */
  readonly place: string;
}

/** Collects the providers that another gateway calls: one of ours for each address and account. */
export class ImportedProviders {
  private readonly report: Report;
  private readonly found: (Reached & { readonly called: string })[] = [];
  private readonly file: ProviderFile = { providers: [], credentials: [] };

  constructor(report: Report) {
    this.report = report;
  }

  /** The providers and credentials of a configuration file. */
  get entries(): ProviderFile {
    return this.file;
  }

  /** The provider by the name that routes call; undefined if it cannot be called: the report says why. */
  of({ name, model, address, account, keyName, place }: Called): string | undefined {
    const known = KNOWN.get(name);
    if (name === 'vertex' && address === undefined) {
      this.report.skipped(place, 'its project or location is not named.');
      return undefined;
    }
    if (address === null || (known === undefined && address === undefined)) {
      this.report.skipped(
        place,
        address === null ? 'its address is not known.' : `no provider '${name}', and no address.`,
      );
      return undefined;
    }
    const isClaude = name === 'foundry' && model.startsWith('claude');
    const protocol = isClaude ? 'anthropic' : (known?.protocol ?? 'openai');
    const baseUrl = typeof address === 'string' ? toBaseUrl(address, isClaude ? 'claude' : name) : undefined;
    if (typeof address === 'string' && baseUrl === undefined) {
      this.report.skipped(place, 'its address is none.');
      return undefined;
    }
    const other = baseUrl === known?.address ? undefined : baseUrl;
    // Our name of a provider stays with its own address.
    const isElsewhere = other !== undefined && !isClaude && known?.address?.startsWith('https:') === true;
    const reached = {
      name: shortName(isClaude ? `${name}-claude` : isElsewhere ? `${name}-${new URL(other).host}` : name),
      protocol,
      baseUrl: other,
      account,
    };
    const same = this.found.find(
      (one) => one.name === reached.name && one.baseUrl === reached.baseUrl && one.account === reached.account,
    );
    if (same !== undefined) return same.called;
    const called = this.freeName(reached.name);
    this.found.push({ ...reached, called });
    this.add(called, reached, keyName, place);
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
  private add(
    called: string,
    { protocol, baseUrl, account }: Reached,
    keyName: string | undefined,
    place: string,
  ): void {
    const known = KNOWN.get(called);
    const address = baseUrl ?? KNOWN.get(this.found.at(-1)?.name ?? '')?.address;
    if (account !== '' && keyName === undefined) {
      const reason =
        'the file has a key. Keys are not copied: add it as the command below says, and make a new one at the provider.';
      this.report.skipped(place, reason);
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
          `Set ${own}${needs.join(' and ')}${keyName === undefined || keyName === key ? '' : ` (there ${keyName})`}.`,
        );
      return;
    }
    const needsKey = account !== '' || (protocol !== 'bedrock' && known?.keyless !== true);
    this.file.providers.push({ name: called, protocol, baseUrl: address, ...(needsKey && { credentialId: called }) });
    if (!needsKey) return;
    const { host } = new URL(address);
    this.file.credentials.push({ name: called, provider: called, hosts: [host], type: 'sealed' } as CredentialEntry);
    this.report.step(
      `npm run --silent admin -- credentials create ${called} "${called}" --hosts ${host}${keyName === undefined ? '' : `   # the key of ${keyName}`}`,
    );
  }
}

/** Where Vertex AI serves a location of a project; undefined if one is not named. */
export function vertexAddress(project: string | undefined, location: string | undefined): string | undefined {
  if (!isName(project) || !isName(location)) return undefined;
  const host =
    location === 'global'
      ? 'aiplatform'
      : location === 'us' || location === 'eu'
        ? `aiplatform.${location}.rep`
        : `${location}-aiplatform`;
  return `https://${host}.googleapis.com/v1/projects/${project}/locations/${location}`;
}

function isName(text: string | undefined): text is string {
  return text !== undefined && /^[a-z][a-z0-9:.-]{0,62}$/.test(text);
}

/** A name of a provider. */
function shortName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .slice(0, NAME_CHARS);
}

/** Another gateway's address of a provider as our providers have it; undefined if it is none. */
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
  const isDomain = /\.[a-z]{2,}$/i.test(hostname) && !/\.(?:local|internal|localhost|lan|corp|home)$/i.test(hostname);
  return protocol === 'https:' && isDomain;
}
