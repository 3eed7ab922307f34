import { toParam } from '../../kernel/errors/index.ts';
import { readObject } from '../../kernel/json/index.ts';
import type { ResponsePiece, TextSlot } from '../../kernel/model/index.ts';
import type { Steps } from '../../kernel/tasks/index.ts';
import { REDACTED_FILE } from '../policy/index.ts';
import { PARTLY_READ } from './decode-text.ts';
import { type FoundFile, filesIn } from './find-files.ts';
import { readSteps } from './resolve-text.ts';

/** Strings in the JSON of a response with a file: most pieces of a stream need no further parsing. */
const MAY_CARRY = /data:|"(?:data|file_data|b64_json|partial_image_b64|result)"/i;
/** Members that contain only images. */
const PICTURES = new Set<unknown>(['b64_json', 'partial_image_b64']);

/**
 * The piece with the texts of its files added. A file arrives complete, so each is a separate channel.
 * @param before the number of earlier pieces with files
 * @param json what is read of the piece
 */
export function* withResponseFiles(piece: ResponsePiece, before: number, json = piece.json): Steps<ResponsePiece> {
  if (!MAY_CARRY.test(json)) return piece;
  const known = new Set(piece.slots.map(({ path }) => JSON.stringify(path)));
  const slots: TextSlot[] = [];
  const skipped: string[] = [];
  for (const file of filesIn(readObject(json))) {
    if (known.has(JSON.stringify(file.path))) continue;
    const content = file.decode();
    const decoded =
      content && (yield* readSteps(content.bytes, { charset: content.charset, mediaType: file.mediaType }));
    const place = toParam(file.path);
    const isUnread = content !== undefined && (decoded === undefined || decoded.unread !== undefined);
    if (isUnread) skipped.push(...kindsOf(file).map((kind) => `${place}: ${kind}`));
    // Ids and signatures look like base64.
    if (decoded?.unread === PARTLY_READ && kindsOf(file).length === 0) continue;
    if (content !== undefined && decoded !== undefined) {
      const channel = before > 0 ? `${place} (${before + 1})` : place;
      const encode = decoded.isUtf8 ? content.encode : () => REDACTED_FILE;
      slots.push({ channel, path: file.path, text: decoded.text, encode, repeats: true, isWhole: true });
    }
  }
  if (slots.length === 0 && skipped.length === 0) return piece;
  return {
    ...piece,
    slots: [...piece.slots, ...slots],
    divisible: piece.divisible && slots.length === 0,
    skipped: [...(piece.skipped ?? []), ...skipped],
  };
}

/** `image`, `audio`, `video` or `file`; empty if it is not declared a file, since ids and signatures look like base64. */
function kindsOf({ path, mediaType }: FoundFile): string[] {
  if (PICTURES.has(path.at(-1))) return ['image'];
  if (mediaType === undefined) return [];
  const [kind = ''] = mediaType.split('/');
  return [kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file'];
}
