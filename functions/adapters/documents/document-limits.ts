/** Limits for the documents of one request. */
export interface DocumentLimits {
  /** The request waits this long: the same as the connection timeout of its provider. */
  readonly deadlineMs: number;
  /** Characters of all documents together: about 250,000 tokens, more than most models accept. */
  readonly maxChars: number;
  /** Heap and buffers: the text of a 4.5 MB PDF, the largest that Lambda accepts, needs about 60. */
  readonly maxMemoryMb: number;
}

export const DOCUMENT_LIMITS: DocumentLimits = { deadlineMs: 5_000, maxChars: 1_000_000, maxMemoryMb: 192 };
/** Why a document is not read to its end. */
export function overChars(maxChars: number): string {
  return `over ${maxChars.toLocaleString('en')} characters of documents`;
}
/** Why a document with pictures and text is not read to its end. */
export const PICTURES_BESIDE_TEXT = 'pictures beside text';
