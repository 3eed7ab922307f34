import { isObject } from '../../base/json.ts';
import type { NamedId } from '../protocol.ts';
import { type IdRules, namedIn } from '../provider-ids.ts';
import { FREE } from './gemini-names.ts';

const FILES_API = 'generativelanguage';
/** Google looks up what follows the last of these, however a name is written. */
const FILES = 'files/';
const FILE_NAME = /^\/*([^/?#:]+)/;

const RULES: IdRules = {
  members: {
    cachedContent: 'Cached content',
    fileUri: 'File',
    fileSearchStoreNames: 'File search store',
    ragCorpora: 'Corpus',
    ragCorpus: 'Corpus',
    datastore: 'Data store',
    dataStore: 'Data store',
    engine: 'Search engine',
  },
  free: new Set([...FREE, 'labels', 'partMetadata']),
  nameOf: (name) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  idOf: (text, name) => (name === 'fileUri' ? fileIn(text) : text),
};

/** The ids by which a request names what Google keeps for the account, in either spelling of their members. */
export function namedInGemini(value: unknown): NamedId[] {
  return namedIn(value, RULES);
}

/** The files that an answer gives. */
export function givenInGemini(candidates: readonly Readonly<Record<string, unknown>>[]): string[] {
  return candidates.flatMap(({ content }) => {
    const parts = isObject(content) && Array.isArray(content.parts) ? content.parts : [];
    return parts.some((part) => isObject(part) && isObject(part.fileData))
      ? namedIn(parts, RULES).map(({ id }) => id)
      : [];
  });
}

/**
 * The file that an address names: `files/abc` of the Files API by whichever of its addresses, or `gs://bucket/object`, which is
 * read with the account's rights. Undefined for a page or a video of the web, which anybody may read.
 */
function fileIn(uri: string): string | undefined {
  const address = URL.parse(uri);
  const isWeb = address !== null && /^https?:$/.test(address.protocol);
  if (isWeb && !address.hostname.includes(FILES_API)) return undefined;
  const path = decoded(isWeb ? address.pathname : uri);
  const at = path.toLowerCase().lastIndexOf(FILES);
  const [, name] = at < 0 ? [] : (FILE_NAME.exec(path.slice(at + FILES.length)) ?? []);
  return name === undefined || uri.startsWith('gs:') ? uri : `files/${name}`;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
