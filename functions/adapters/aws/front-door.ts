import { GatewayError, StoreUnavailable, toGatewayError } from '../../kernel/errors/index.ts';
import {
  isIpAddress,
  isOriginSecret,
  ORIGIN_SECRET_HEADER,
  type OriginSecrets,
  type RequestContext,
  readOriginSecrets,
  VIEWER_ADDRESS_HEADER,
} from '../../kernel/http/index.ts';
import { secretSource } from './secrets-manager.ts';

/** Headers that only the front door reads. They are never passed on. */
export const FRONT_DOOR_HEADERS: ReadonlySet<string> = new Set([ORIGIN_SECRET_HEADER, VIEWER_ADDRESS_HEADER]);

/** Determines the client of a request to a function URL from its headers (lower-case names) and the source IP that Lambda reports. */
export type FrontDoor = (
  headers: Readonly<Record<string, string | undefined>>,
  sourceIp: string,
) => Promise<Pick<RequestContext, 'clientAddress' | 'refusal' | 'firstByteMs'>>;

/** Without a distribution, the connecting address is the client. */
export const openFrontDoor: FrontDoor = async (_headers, sourceIp) => ({ clientAddress: sourceIp });

/**
 * The front door for an origin secret. Without a secret, requests are accepted unless `only` is set.
 * @param firstByteMs how long the distribution waits for a response
 */
export function createFrontDoor(arn: string | undefined, only: boolean, firstByteMs?: number): FrontDoor {
  if (arn !== undefined) return behindDistribution({ secret: secretSource(arn), only, firstByteMs });
  if (!only) return openFrontDoor;
  return behindDistribution({ secret: () => Promise.reject(new StoreUnavailable('no origin secret is set')), only });
}

interface DistributionOptions {
  /** Returns the distribution's secret; caches it. */
  readonly secret: () => Promise<string>;
  /** Refuse requests without the secret. */
  readonly only: boolean;
  /** How long the distribution waits for a response, milliseconds. */
  readonly firstByteMs?: number | undefined;
}

/**
 * The front door behind the stack's distribution. If a request has the secret, the client address is the one that the distribution reports;
 * without one the address is empty and matches no allow-list. Other requests come from the connecting address, or are refused with `only`.
 * If the secret cannot be read, requests that have one are refused: their client is unknown.
 */
export function behindDistribution({ secret, only, firstByteMs }: DistributionOptions): FrontDoor {
  let known: { readonly text: string; readonly secrets: OriginSecrets } | undefined;
  const secrets = async (): Promise<OriginSecrets> => {
    const text = await secret();
    if (known?.text === text) return known.secrets;
    const read = readOriginSecrets(text);
    if (read === undefined) throw new StoreUnavailable('the origin secret is not readable');
    known = { text, secrets: read };
    return read;
  };
  return async (headers, sourceIp) => {
    const shown = headers[ORIGIN_SECRET_HEADER];
    if (shown === undefined) return { clientAddress: sourceIp, refusal: only ? notThroughDistribution() : undefined };
    let believed: OriginSecrets;
    try {
      believed = await secrets();
    } catch (error) {
      return { clientAddress: sourceIp, refusal: toGatewayError(error) };
    }
    if (!isOriginSecret(shown, believed)) {
      return { clientAddress: sourceIp, refusal: only ? notThroughDistribution() : undefined };
    }
    const viewer = headers[VIEWER_ADDRESS_HEADER] ?? '';
    return { clientAddress: isIpAddress(viewer) ? viewer : '', firstByteMs };
  };
}

function notThroughDistribution(): GatewayError {
  return new GatewayError('insufficient_permissions', 'Direct requests to this URL are not accepted.');
}
