export interface Base64Data {
  /** Lower case, without parameters. */
  readonly mediaType: string;
  readonly data: string;
}

/** The parts of a base64 `data:` URL (RFC 2397), parameters other than base64 dropped; undefined for any other text. */
export function readBase64DataUrl(url: string): Base64Data | undefined {
  const comma = url.indexOf(',');
  if (comma < 0 || url.slice(0, 5).toLowerCase() !== 'data:') return undefined;
  const fields = url.slice(5, comma).split(';');
  const mediaType = fields[0]?.trim().toLowerCase() ?? '';
  if (mediaType === '' || fields.length < 2 || fields.at(-1)?.trim().toLowerCase() !== 'base64') return undefined;
  return { mediaType, data: url.slice(comma + 1) };
}
