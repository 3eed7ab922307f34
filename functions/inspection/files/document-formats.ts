/** What an archive is reported as where its parts are not read. */
export const ARCHIVE = 'an archive or office document';

/** A PDF may have other bytes before its header. */
const PDF_HEAD = /%PDF-/;
const PDF_HEAD_BYTES = 1024;
const ZIP = Buffer.from('PK\u0003\u0004');
/** The end of an archive's directory, which a comment may follow. */
const ZIP_END = Buffer.from('PK\u0005\u0006');
const ZIP_END_BYTES = 22 + 0xffff;
/** The container of Office 97, and of encrypted documents. */
const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

/** The formats of the document in the bytes, whatever it is declared as; it may be of both. */
export function formatsOf(bytes: Uint8Array): ('pdf' | 'zip')[] {
  const file = bufferOf(bytes);
  const isPdf = PDF_HEAD.test(file.toString('latin1', 0, PDF_HEAD_BYTES));
  const isZip = file.subarray(-ZIP_END_BYTES).includes(ZIP_END) && file.includes(ZIP);
  return [...(isPdf ? (['pdf'] as const) : []), ...(isZip ? (['zip'] as const) : [])];
}

/** Why an office document is not read, if its format is an old one. */
export function oldFormatOf(bytes: Uint8Array): string | undefined {
  const file = bufferOf(bytes);
  if (!file.subarray(0, OLE.length).equals(OLE)) return undefined;
  return file.includes(ENCRYPTED) ? 'encrypted office document' : 'old office format';
}

/** Whether it is an archive that readers of archives open. */
export function isArchive(bytes: Uint8Array): boolean {
  const file = bufferOf(bytes);
  return file.subarray(0, ZIP.length).equals(ZIP) && file.includes(ZIP_END);
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
