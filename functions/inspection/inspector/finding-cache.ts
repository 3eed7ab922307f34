import { createHash, hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Surface } from '../../kernel/model/index.ts';
import type { Steps } from '../../kernel/tasks/index.ts';
import {
  type ConcatenatedReading,
  type Finding,
  type FindingStream,
  type ResponseDetector,
  type Rule,
  type Signal,
  TextInspector,
} from '../matching/index.ts';
import type { Pieces } from './boundary-ranges.ts';

/** Units that take about a millisecond to digest. */
const STEP_UNITS = 262_144;
/** Pieces are shorter to digest than a joined text if they have more units than this on average. */
const PIECE_UNITS = 128;
/** What the digest of a joined text's pieces begins with. */
const OF_PIECES = 'joined ';
const IN_ONE_PIECE: ConcatenatedReading = { isNew: () => true, isClassified: true };
/**
 * The most findings; a text without findings counts as one. A text takes some hundred bytes, and so does each finding. An agent's long
 * conversation has a thousand names.
 */
const MAX_FINDINGS = 32_768;

/**
 * Caches findings of whole texts by digest: a conversation is sent again with every turn, and only new text has to be inspected. Contains
 * no text. Entries are separate for each sender, since response times must not reveal what others have sent.
 */
export class FindingCache {
  private readonly known: LRUCache<string, readonly Finding[]>;
  private readonly inspector: TextInspector;

  /** `inspector` must return the same findings for the same text. */
  constructor(inspector: TextInspector, maxFindings = MAX_FINDINGS) {
    this.inspector = inspector;
    // A hit moves no key: the keys of the request before, thousands a turn, are garbage at once.
    this.known = new LRUCache({
      // `max` would reserve room for all entries.
      maxSize: maxFindings,
      sizeCalculation: (findings) => Math.max(1, findings.length),
    });
  }

  /** Returns the inspector for the texts of one request of a sender. */
  of(sender: string): TextInspector {
    return new CachingInspector(this.inspector, sender, this.known);
  }
}

/** Digests of texts, of each once. */
class TextDigests {
  private readonly known = new Map<string, string>();

  /** undefined if the text has a lone surrogate, which has no distinct bytes: texts that differ only in it would share a digest. */
  *of(text: string): Steps<string | undefined> {
    const known = this.known.get(text);
    if (known !== undefined || !text.isWellFormed()) return known;
    const digest = text.length <= STEP_UNITS ? hash('sha256', text, 'base64') : yield* digestOf(text);
    this.known.set(text, digest);
    return digest;
  }

  /** A digest of what a joined text consists of: its pieces were digested before, and it needs no copy in one piece. */
  *ofPieces(pieces: Pieces): Steps<string | undefined> {
    let all = '';
    for (const { text, from, length, start, separator } of pieces) {
      const digest = yield* this.of(text);
      if (digest === undefined) return undefined;
      all += `${digest} ${from} ${length} ${start} ${separator};`;
    }
    return hash('sha256', all, 'base64');
  }
}

/** The readings of a text that may differ in their findings. */
function kindOf({ isClassified = true, isReadWhole = false }: Partial<ConcatenatedReading> = {}): string {
  return `${isClassified ? 'all' : 'rules'}${isReadWhole ? ' whole' : ''}`;
}

function* digestOf(text: string): Steps<string> {
  const digest = createHash('sha256');
  for (let at = 0; at < text.length; ) {
    let end = at + STEP_UNITS;
    // The two halves of a character have no bytes by themselves.
    if ((text.codePointAt(end - 1) ?? 0) > 0xffff) end -= 1;
    digest.update(text.slice(at, end));
    at = end;
    if (at < text.length) yield;
  }
  return digest.digest('base64');
}

class CachingInspector extends TextInspector {
  private readonly inspector: TextInspector;
  private readonly sender: string;
  private readonly known: LRUCache<string, readonly Finding[]>;
  private readonly digests = new TextDigests();

  constructor(inspector: TextInspector, sender: string, known: LRUCache<string, readonly Finding[]>) {
    super();
    this.inspector = inspector;
    this.sender = sender;
    this.known = known;
  }

  /** With detectors the result depends on more than the text, so nothing is cached. */
  *inspectSteps(
    text: string,
    surface: Surface,
    detectors: readonly ResponseDetector[] = [],
    joined?: ConcatenatedReading,
  ): Steps<Finding[]> {
    const digest = detectors.length > 0 ? undefined : yield* this.digestOf(text, joined?.pieces);
    const key = digest === undefined ? undefined : `${this.sender} ${surface} ${kindOf(joined)} ${digest}`;
    const known = key === undefined ? undefined : this.known.get(key);
    if (known !== undefined) return [...known];
    // The findings depend on the pieces: what has a digest of its text alone is inspected as one text.
    const { pieces: _, ...asOne } = joined ?? IN_ONE_PIECE;
    const reading = digest?.startsWith(OF_PIECES) === true ? joined : asOne;
    const found = yield* this.inspector.inspectSteps(text, surface, detectors, reading);
    // An inspection that ended early is incomplete and is not cached.
    if (key === undefined || (yield)) return found;
    this.known.set(key, found);
    return [...found];
  }

  private *digestOf(text: string, pieces: Pieces = []): Steps<string | undefined> {
    const isShorter = pieces.length > 0 && text.length >= pieces.length * PIECE_UNITS;
    const ofPieces = isShorter ? yield* this.digests.ofPieces(pieces) : undefined;
    // A text may be equal to what is hashed for pieces.
    return ofPieces === undefined ? yield* this.digests.of(text) : OF_PIECES + ofPieces;
  }

  findExamples(text: string, surface: Surface): Finding[] {
    return this.inspector.findExamples(text, surface);
  }

  rulesForSignal(signal: Signal, surface: Surface): readonly Rule[] {
    return this.inspector.rulesForSignal(signal, surface);
  }

  open(...args: Parameters<TextInspector['open']>): FindingStream {
    return this.inspector.open(...args);
  }
}
