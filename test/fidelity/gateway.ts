import { startLocalProcess } from '../contract/local-process.ts';
import { WITHOUT_EVENTS } from '../support/quick-start.ts';
import { type Answer, type SentRequest, startUpstream } from './upstream.ts';

/** The gateway's response, and the request that it sent to the provider; none after a refusal. */
export interface Exchange {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly sent: SentRequest | undefined;
}

export interface Asked {
  /** POST where absent. */
  readonly method?: string;
  /** Under the gateway's address, `/v1/…`. */
  readonly path: (lane: number) => string;
  /** The body for a lane: the model's name ends in `-w<lane>`. */
  readonly body: (lane: number) => string | undefined;
  /** The body's media type. */
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly answer: Answer;
}

export interface Gateway {
  readonly url: string;
  readonly key: string;
  /** Sends all requests, several at once, and returns the responses in order. */
  askAll(asked: readonly Asked[]): Promise<Exchange[]>;
  /** A key with this policy. */
  newKey(policy: object): Promise<string>;
  stop(): Promise<void>;
}

export const LANES = 8;
/** Ids in samples belong to no key: filler words of schemas, and files. */
const MADE_OUTSIDE = 'words,first,other,file-';

/** The service in the home that run.mjs was asked for: the HTTP server, or the deployed bundles. */
const start: typeof startLocalProcess =
  process.env.SVC_TEST_ENTRY === 'lambda'
    ? async (providers, settings = {}) => {
        const { startFunctions } = await import('../runtime/start-functions.ts');
        const { SVC_FOREIGN_IDS, ...others } = settings;
        const bedrock = { BEDROCK_BASE_URL: others.AWS_ENDPOINT_URL_BEDROCK_RUNTIME };
        return startFunctions({ ...providers, ...others, ...bedrock } as never, { SVC_FOREIGN_IDS });
      }
    : startLocalProcess;

/** The running gateway before one upstream that plays all providers. */
export async function startGateway(providers: Readonly<Record<string, string>> = {}): Promise<Gateway> {
  const upstream = await startUpstream();
  const service = await start(
    {
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_BASE_URL: upstream.url,
      ...providers,
    },
    {
      GEMINI_API_KEY: 'k',
      GEMINI_BASE_URL: upstream.url,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'k',
      AWS_SECRET_ACCESS_KEY: 'k',
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: upstream.url,
      SVC_FOREIGN_IDS: MADE_OUTSIDE,
      ...WITHOUT_EVENTS,
      ...providers,
    },
  );
  const key = await makeKey(service.adminUrl, service.adminKey);
  const url = service.baseUrl.replace(/\/v1$/, '');
  const askOne = async (
    { method = 'POST', path, body, type, headers, answer }: Asked,
    lane: number,
  ): Promise<Exchange> => {
    upstream.answer(lane, answer);
    const sent = body(lane);
    const response = await fetch(`${url}${path(lane)}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(sent !== undefined && { 'content-type': type }), ...headers },
      ...(sent !== undefined && { body: sent }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, sent: upstream.taken(lane) };
  };
  return {
    url,
    key,
    askAll: async (asked) => {
      const exchanges: Exchange[] = [];
      let next = 0;
      const work = async (lane: number) => {
        for (let at = next++; at < asked.length; at = next++) exchanges[at] = await askOne(asked[at] as Asked, lane);
      };
      await Promise.all(Array.from({ length: LANES }, (_, lane) => work(lane)));
      return exchanges;
    },
    newKey: (policy) => makeKey(service.adminUrl, service.adminKey, policy),
    stop: async () => {
      await service.stop();
      await upstream.close();
    },
  };
}

async function makeKey(url: string, adminKey: string, policy?: object): Promise<string> {
  const permissions = ['chat_completions', 'completions', 'embeddings', 'images', 'audio'];
  const rateLimit = { requests: 1_000_000, period: 'hour' };
  const response = await fetch(`${url}/admin/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'fidelity', permissions, rateLimit, policy }),
  });
  const { key } = (await response.json()) as { key?: string };
  if (key === undefined) throw new Error(`no key made: ${response.status}`);
  return key;
}
