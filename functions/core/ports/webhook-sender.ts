/** One attempt to hand a body over: nothing of it is kept by the sender. */
export interface WebhookPost {
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Why there was no answer: the address is none that may be sent to; its name is unknown; nobody listens; no valid TLS; no
 * answer within the deadline; the connection broke; what came is no HTTP.
 */
export type SendFailure = 'address' | 'dns' | 'connect' | 'tls' | 'timeout' | 'reset' | 'protocol';

export interface WebhookAnswer {
  readonly status: number;
  /** `Retry-After` as it came. */
  readonly retryAfter?: string;
  /** How its body begins: at most 1,024 bytes, as it came. */
  readonly text: string;
}

export type SendOutcome =
  | { readonly answer: WebhookAnswer; readonly failure?: undefined }
  | { readonly answer?: undefined; readonly failure: SendFailure };

/** Sends to addresses that may be sent to, and to no other. It has a deadline of its own, and never rejects. */
export interface WebhookSender {
  send(post: WebhookPost): Promise<SendOutcome>;
}
