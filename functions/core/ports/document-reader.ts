/** What could be read of a document. */
export interface DocumentText {
  readonly text: string;
  /** Why some or all of it could not be read: `encrypted`, `over 1,000 pages`; undefined where all was. */
  readonly unread?: string;
}

/** Reads the text of documents that are no text themselves. */
export interface DocumentReader {
  /**
   * The text of PDFs, in their order. Never rejects: what cannot be read in time, or at all, says so in its result.
   */
  read(pdfs: readonly Uint8Array[]): Promise<readonly DocumentText[]>;
}
