import type { BodyOf, ResponseOf } from '../../../../functions/contract/index.ts';
import type { Answer, PolicyVersionView } from '../../api/client.ts';
import { callWithHeaders } from '../../api/operations.ts';
import type { Settings } from './policy-settings.ts';

/** The current version, and the tag that replaces it. */
export interface Current {
  readonly policy: PolicyVersionView;
  readonly etag: string;
}

export async function readCurrent(signal?: AbortSignal): Promise<Current> {
  return toCurrent(await callWithHeaders('getPolicy', signal === undefined ? {} : { signal }));
}

export async function putPolicy(body: Settings | undefined, etag: string): Promise<Current> {
  return toCurrent(
    await callWithHeaders('putPolicy', { body: body as BodyOf<'putPolicy'>, headers: { 'If-Match': etag } }),
  );
}

export async function rollBack(version: number, etag: string): Promise<Current> {
  return toCurrent(await callWithHeaders('rollbackPolicy', { body: { version }, headers: { 'If-Match': etag } }));
}

function toCurrent({ data, headers }: Answer<ResponseOf<'getPolicy'>>): Current {
  return { policy: data as PolicyVersionView, etag: headers.get('etag') ?? `"${data.version}"` };
}
