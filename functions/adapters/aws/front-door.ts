import { GatewayError, StoreUnavailable, toGatewayError } from '../../core/base/errors.ts';
import {
  isOriginSecret,
  ORIGIN_SECRET_HEADER,
  type OriginSecrets,
  readOriginSecrets,
  readViewerAddress,
} from '../../core/http/front-door.ts';
import type { RequestContext } from '../../core/http/router.ts';
import { secretSource } from './secrets-manager.ts';

/** In which CloudFront tells who called it; it writes over what a caller sent by that name. */
const VIEWER_ADDRESS_HEADER = 'cloudfront-viewer-address';

/** What tells a function's own front doors apart: for them alone, and nothing that is passed on. */
export const FRONT_DOOR_HEADERS: ReadonlySet<string> = new Set([ORIGIN_SECRET_HEADER, VIEWER_ADDRESS_HEADER]);

/** Who sent a request that came in by a function URL, by its headers (lower-case names) and the platform's word. */
export type FrontDoor = (
  headers: Readonly<Record<string, string | undefined>>,
  sourceIp: string,
) => Promise<Pick<RequestContext, 'clientAddress' | 'refusal'>>;

/** No distribution stands before the function: whoever connects is the caller. */
export const openFrontDoor: FrontDoor = async (_headers, sourceIp) => ({ clientAddress: sourceIp });

/** The front door of a function with this origin secret; without one, any caller is believed unless `only` is set. */
export function createFrontDoor(arn: string | undefined, only: boolean): FrontDoor {
  if (arn !== undefined) return behindDistribution({ secret: secretSource(arn), only });
  if (!only) return openFrontDoor;
  return behindDistribution({ secret: () => Promise.reject(new StoreUnavailable('no origin secret is set')), only });
}

interface DistributionOptions {
  /** The text of the secret that the distribution sends, cached by whoever gives it. */
  readonly secret: () => Promise<string>;
  /** Others are refused. */
  readonly only: boolean;
}

/**
 * A distribution of ours stands before the function. Where a request shows its secret, the caller is who the distribution says;
 * an address that it does not tell is none, and in no allow-list. Without it, whoever connects is the caller, or is refused.
 * A secret that cannot be read refuses what shows one: who calls would be anybody's guess.
 */
export function behindDistribution({ secret, only }: DistributionOptions): FrontDoor {
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
    return { clientAddress: readViewerAddress(headers[VIEWER_ADDRESS_HEADER] ?? '') ?? '' };
  };
}

function notThroughDistribution(): GatewayError {
  return new GatewayError('insufficient_permissions', 'This service is not reached at this address.');
}
