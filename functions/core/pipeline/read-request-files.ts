import type { RequestDocument } from '../base/request-document.ts';
import { giveWayFor } from '../base/steps.ts';
import { filesOf } from '../files/find-files.ts';
import { describeSkipped, readFiles } from '../files/read-files.ts';
import type { RequestTexts } from '../inspect/requests/request-text.ts';
import type { Exchange, PipelineDeps } from './exchange.ts';

/** The texts of a request with those of its files; lists in `coverage` what cannot be read. */
export async function readRequestFiles(
  exchange: Exchange,
  document: RequestDocument,
  own: RequestTexts,
  { documents, scheduler }: PipelineDeps,
): Promise<RequestTexts> {
  await giveWayFor(document, scheduler);
  const startedAt = exchange.monotonic();
  const read = await readFiles(document.value, own, filesOf(document), documents, scheduler);
  exchange.spent('inspect', startedAt);
  exchange.coverage.skipped.push(...read.skipped.map(describeSkipped));
  return read;
}
