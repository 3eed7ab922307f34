/** The running service under test, wherever it runs. */
export interface Service {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  /** Ends in `/v1`; the admin API may be a separate function. */
  readonly adminUrl: string;
  readonly adminKey: string;
  /** Of the process that serves, where it is one of ours. */
  readonly pid?: number | undefined;
  /** Of that process; null while it runs. */
  exitCode?(): number | null;
  /** Everything the service printed so far. */
  logs(): string;
  stop(): Promise<void>;
}

/** The longest that a provider may be silent, for suites with tests of it. */
export const PROVIDER_TIMEOUT_MS = 3_000;

/** What a service is started with: the providers' credentials and addresses, as variables or as their secret. */
export type ProviderSettings = Readonly<
  Record<'OPENAI_API_KEY' | 'OPENAI_BASE_URL' | 'ANTHROPIC_API_KEY' | 'ANTHROPIC_BASE_URL', string>
>;

/** Fakes that must never be seen outside the call to their provider. */
export const PLANTED = {
  openaiKey: `sk-planted-openai-${'k9Zr2'.repeat(6)}`,
  anthropicKey: `sk-ant-planted-${'w4Tq8'.repeat(6)}`,
} as const;

/** What a platform may be unable to show; each skip says why. */
export type Capability =
  | 'raw requests'
  | 'requests at once'
  | 'client disconnects'
  | 'raw bytes in a body'
  | 'its own size limit'
  | 'metrics in its log';
export type Skips = Readonly<Partial<Record<Capability, string>>>;
