import type { PackedPatterns, PatternCode } from '../../pattern-engine/index.ts';
import written from './patterns.generated.json' with { type: 'json' };

/** What spares a start the compiling of the encodings' patterns, or the linking as well: then by the view that they read. */
export type PreparedEncodings =
  | { readonly codes: Readonly<Record<string, PatternCode>> }
  | { readonly linked: Readonly<Record<'exact' | 'raw', PackedPatterns>> };

/** A bundle has them linked, in the place of this: scripts/linked-patterns.mjs */
export const PREPARED_ENCODINGS: PreparedEncodings = { codes: written };
