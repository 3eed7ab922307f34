import { parentPort, workerData } from 'node:worker_threads';
import type { DocumentReader } from '../../inspection/index.ts';

/** Documents with the formats that each may be of. */
export type BinaryDocuments = Parameters<DocumentReader['read']>[0];

/** A message of the worker: text of a document, in order, or the end of a document. */
export type DocumentMessage =
  | { readonly document: number; readonly text: string }
  | { readonly document: number; readonly done: true; readonly unread?: string | undefined };

/** What the worker gets. */
export interface DocumentWork {
  readonly documents: BinaryDocuments;
  /** Characters after which the reader of the messages ends the worker. */
  readonly maxChars: number;
}

const { documents, maxChars } = workerData as DocumentWork;
for (const [document, { bytes, formats }] of documents.entries()) {
  const take = (text: string) => tell({ document, text });
  const unread: (string | undefined)[] = [];
  if (formats.includes('zip')) {
    const { readZip } = await import('./office-text.ts');
    unread.push(await readZip(bytes, take, maxChars));
  }
  if (formats.includes('pdf')) {
    const { readPdf } = await import('./pdf-text.ts');
    unread.push(await readPdf(bytes, take));
  }
  tell({ document, done: true, unread: unread.find((reason) => reason !== undefined) });
}

function tell(message: DocumentMessage): void {
  parentPort?.postMessage(message);
}
