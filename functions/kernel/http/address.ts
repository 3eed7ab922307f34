import * as z from 'zod';

/** Characters that parsers of addresses drop or resolve, or that readers do not see. */
const ODD = /[\s\\\p{Cc}\p{Cf}\p{Cs}\p{DI}]/u;
const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
/** A name or an address. The URL standard also reads others, such as `*.example.com`, which no resolver finds. */
const HOST = new RegExp(`^(?:\\[[0-9a-f:.]+\\]|${LABEL}(?:\\.${LABEL})*\\.?)(?::\\d{1,5})?$`);
const HTTP = /^https?:\/\/[^/]/i;

/**
 * The fault of an http address: a phrase that follows its name; undefined if every parser reads it alike.
 * @param mayHoldLogin for servers behind basic authentication
 */
export function findAddressFault(text: string, mayHoldLogin = false): string | undefined {
  if (ODD.test(text)) return 'must hold no white space, backslash or invisible character';
  if (!HTTP.test(text) || !URL.canParse(text)) return 'must be an http or https URL';
  const { host, username, password } = new URL(text);
  if (!HOST.test(host)) return 'must name a host, without a pattern';
  if (!mayHoldLogin && (username !== '' || password !== '')) return 'must hold no user name and no password';
  return text.includes('#') ? 'must hold no fragment' : undefined;
}

/** Any setting that holds an address. Its text is kept, since paths are appended and issuers compared. */
export const addressSchema = z.string().superRefine((text, context) => {
  const message = findAddressFault(text);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

/** The address as the URL standard writes it; other text unchanged. */
export function normalizedAddress(text: string): string {
  return URL.parse(text)?.href ?? text;
}
