export { isHexNumber } from './byte-encodings.ts';
export { readInvisible } from './encodings.ts';
export { PassageReader, type ReadPassage } from './passage-reader.ts';
export {
  Decoder,
  INVISIBLE_ENCODING_SET,
  MAX_DECODE_DEPTH,
  MAX_DECODED_UNITS,
  type Payload,
  PayloadReader,
  VISIBLE_ENCODING_SET,
} from './payloads.ts';
export { blanked, type Range, type ReadingKind, signsWithin } from './reading.ts';
