import { Resolver } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import {
  isLoopbackAddress,
  isPublicAddress,
  type SendFailure,
  type SendOutcome,
  type WebhookPost,
  type WebhookSender,
} from '../../control/webhooks/index.ts';

const DEADLINE_MS = 10_000;
const DNS_TIMEOUT_MS = 2_000;
const DNS_TRIES = 2;
/** Only the status of a response matters. This much of the body is read, for at most this long. */
const MAX_TEXT_BYTES = 1_024;
const TEXT_WAIT_MS = 1_000;
/** Name servers are never asked about these: RFC 6761, 6.3. */
const LOCALHOST = /(?:^|\.)localhost\.?$/;

interface WebhookSenderOptions {
  /** Also allow plain http and loopback addresses, for a local run. */
  readonly allowLoopback: boolean;
  /** From the start of the name lookup to the response head. */
  readonly deadlineMs?: number;
  readonly resolver?: Resolver;
}

interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * Posts to public addresses. A name is resolved once, all its addresses are checked, and the connection uses a checked address, so a later
 * change of the name has no effect. Each attempt has a separate connection. Redirects are not followed, and no proxy is used.
 */
export class HttpsWebhookSender implements WebhookSender {
  private readonly allowLoopback: boolean;
  private readonly deadlineMs: number;
  private readonly resolver: Resolver;
  // Not Node's global agent, which may use a proxy from the environment and keeps TLS sessions.
  private readonly agent = new https.Agent({ keepAlive: false, maxCachedSessions: 0 });

  constructor({ allowLoopback, deadlineMs = DEADLINE_MS, resolver }: WebhookSenderOptions) {
    this.allowLoopback = allowLoopback;
    this.deadlineMs = deadlineMs;
    // Queries name servers directly: system lookups share four threads, which slow names of one receiver would block.
    this.resolver = resolver ?? new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
  }

  async send(post: WebhookPost): Promise<SendOutcome> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.deadlineMs);
    try {
      const url = URL.parse(post.url);
      if (url === null || !this.maySpeak(url.protocol)) return { failure: 'address' };
      const addresses = await this.addressesOf(hostOf(url), late.signal);
      if (typeof addresses === 'string') return { failure: addresses };
      return await this.postTo(url, addresses, post, late.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  private maySpeak(protocol: string): protocol is 'http:' | 'https:' {
    return protocol === 'https:' || (protocol === 'http:' && this.allowLoopback);
  }

  /** The addresses of a host, if all of them are allowed. */
  private async addressesOf(host: string, late: AbortSignal): Promise<readonly Address[] | SendFailure> {
    const family = isIP(host);
    const found = family === 0 ? await this.lookUp(host, late) : [{ address: host, family: family as 4 | 6 }];
    if (late.aborted) return 'timeout';
    if (found.length === 0) return 'dns';
    return found.every(({ address }) => this.mayReach(address)) ? found : 'address';
  }

  private mayReach(address: string): boolean {
    return isPublicAddress(address) || (this.allowLoopback && isLoopbackAddress(address));
  }

  private async lookUp(host: string, late: AbortSignal): Promise<readonly Address[]> {
    if (LOCALHOST.test(host)) return [{ address: '127.0.0.1', family: 4 }];
    const none = (): string[] => [];
    const ask = Promise.all([this.resolver.resolve4(host).catch(none), this.resolver.resolve6(host).catch(none)]);
    const [v4, v6] = await Promise.race([ask, whenAborted(late).then(() => [[], []])]);
    const of = (addresses: readonly string[] | undefined, family: 4 | 6) =>
      (addresses ?? []).map((address) => ({ address, family }));
    return [...of(v4, 4), ...of(v6, 6)];
  }

  private async postTo(
    url: URL,
    addresses: readonly Address[],
    { headers, body }: WebhookPost,
    late: AbortSignal,
  ): Promise<SendOutcome> {
    const secure = url.protocol === 'https:';
    // Plain http is for local runs. Importing node:http at start would load Node's own undici: 40 ms of CPU.
    const { request } = secure ? https : await import('node:http');
    return new Promise((resolve) => {
      const call = request({
        method: 'POST',
        protocol: url.protocol,
        // The name is kept for SNI and certificate validation.
        hostname: hostOf(url),
        ...(url.port !== '' && { port: url.port }),
        path: url.pathname + url.search,
        // false means a new agent for this request.
        agent: secure && this.agent,
        lookup: alwaysThese(addresses),
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      });
      const end = (outcome: SendOutcome) => {
        late.removeEventListener('abort', onLate);
        resolve(outcome);
        call.destroy();
      };
      const onLate = () => end({ failure: 'timeout' });
      if (late.aborted) return onLate();
      late.addEventListener('abort', onLate, { once: true });
      call.on('error', (error: NodeJS.ErrnoException) => end({ failure: failureOf(error) }));
      call.once('response', (response) => {
        // The status has arrived: the rest of the body no longer matters.
        late.removeEventListener('abort', onLate);
        const retryAfter = response.headers['retry-after'];
        void beginningOf(response).then((text) =>
          end({ answer: { status: response.statusCode ?? 0, ...(retryAfter !== undefined && { retryAfter }), text } }),
        );
      });
      call.end(body);
    });
  }
}

/** The host of a URL as a name or bare IP address. */
function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/** Replaces the lookup of the connection. */
function alwaysThese(addresses: readonly Address[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    const [first] = addresses as [Address];
    if (all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

function beginningOf(response: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const done = () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).subarray(0, MAX_TEXT_BYTES).toString('utf8'));
    };
    const timer = setTimeout(done, TEXT_WAIT_MS);
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= MAX_TEXT_BYTES) done();
    });
    for (const over of ['end', 'error', 'close']) response.once(over, done);
  });
}

const CONNECTING = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EADDRNOTAVAIL', 'EACCES']);
const TLS = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|EPROTO)/;

function failureOf({ code = '' }: NodeJS.ErrnoException): SendFailure {
  if (CONNECTING.has(code)) return 'connect';
  if (TLS.test(code)) return 'tls';
  return code.startsWith('HPE_') ? 'protocol' : 'reset';
}
