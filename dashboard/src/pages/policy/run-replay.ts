import type { BodyOf } from '../../../../functions/contract/index.ts';
import { ApiError, type PolicyReplay, retrying } from '../../api/client.ts';
import { call } from '../../api/operations.ts';
import { type RangeName, timesOf } from '../../components/url-state.ts';
import { addReplays } from './add-replays.ts';

/** One page of a replay takes up to ten seconds. */
const TIMEOUT_MS = 30_000;

export interface ReplayScope {
  readonly as: 'deployment' | 'key';
  readonly range: RangeName;
  readonly keyId: string;
  readonly texts: boolean;
}

/** A replay of a policy. */
export interface WantedReplay extends ReplayScope {
  readonly policy: BodyOf<'replayPolicy'>['policy'];
}

/** Reads page after page and reports the sum so far; a stop ends it with the partial sum. */
export async function replayAll(
  wanted: WantedReplay,
  signal: AbortSignal,
  onProgress: (replay: PolicyReplay) => void,
): Promise<void> {
  const { range, keyId, ...rest } = wanted;
  const body = { ...rest, ...timesOf(range, Date.now()), ...(keyId === '' ? {} : { keyId }) };
  let sum: PolicyReplay | undefined;
  let cursor: string | null = null;
  do {
    const asked = cursor === null ? body : { ...body, cursor };
    try {
      const page: PolicyReplay = await retrying(() =>
        call('replayPolicy', { body: asked, signal, timeoutMs: TIMEOUT_MS }),
      );
      sum = sum === undefined ? page : addReplays(sum, page);
      cursor = page.nextCursor;
      onProgress(sum);
    } catch (error) {
      if (signal.aborted && !(error instanceof ApiError)) return;
      throw error;
    }
  } while (cursor !== null && !signal.aborted);
}
