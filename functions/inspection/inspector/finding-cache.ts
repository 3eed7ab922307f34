import { createHash, hash } from 'node:crypto';
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

/** Units that take about a millisecond to digest. */
const STEP_UNITS = 262_144;
/** Cache limits. A text takes some hundred bytes, and so does each finding. An agent's long conversation has a thousand names. */
const ROOM = { texts: 32_768, findings: 32_768 };
const NONE: readonly Finding[] = [];

/**
 * Caches findings of whole texts by digest: a conversation is sent again with every turn, and only new text has to be inspected. Contains
 * no text. Entries are separate for each sender, since response times must not reveal what others have sent.
 */
export class FindingCache {
  /** Least recently used first. */
  private readonly known = new Map<string, readonly Finding[]>();
  private readonly inspector: TextInspector;
  private readonly room: typeof ROOM;
  private findings = 0;

  /** `inspector` must return the same findings for the same text. `room` limits the number of texts and the total number of their findings. */
  constructor(inspector: TextInspector, room = ROOM) {
    this.inspector = inspector;
    this.room = room;
  }

  /** Returns the inspector for the texts of one sender. */
  of(sender: string): TextInspector {
    return new CachingInspector(this.inspector, (text, surface, joined) => this.inspect(sender, text, surface, joined));
  }

  private *inspect(
    sender: string,
    text: string,
    surface: Surface,
    joined: ConcatenatedReading | undefined,
  ): Steps<Finding[]> {
    const inspect = () => this.inspector.inspectSteps(text, surface, [], joined);
    // A lone surrogate has no distinct bytes: texts that differ only in it would share a digest.
    if (!text.isWellFormed()) return yield* inspect();
    const kind = joined?.isClassified === false ? 'rules' : 'all';
    const key = `${sender} ${surface} ${kind} ${yield* digestOf(text)}`;
    const known = this.take(key);
    const found = known ?? (yield* inspect());
    // An inspection that ended early is incomplete and is not cached.
    if (known === undefined && (yield)) return [...found];
    this.keep(key, found);
    return [...found];
  }

  private take(key: string): readonly Finding[] | undefined {
    const found = this.known.get(key);
    if (found === undefined) return undefined;
    this.known.delete(key);
    this.findings -= found.length;
    return found;
  }

  private keep(key: string, found: readonly Finding[]): void {
    if (found.length > this.room.findings) return;
    this.known.set(key, found.length === 0 ? NONE : found);
    this.findings += found.length;
    for (const oldest of this.known.keys()) {
      if (this.known.size <= this.room.texts && this.findings <= this.room.findings) break;
      this.take(oldest);
    }
  }
}

function* digestOf(text: string): Steps<string> {
  if (text.length <= STEP_UNITS) return hash('sha256', text, 'base64');
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

type InspectKnown = (text: string, surface: Surface, joined: ConcatenatedReading | undefined) => Steps<Finding[]>;

class CachingInspector extends TextInspector {
  private readonly inspector: TextInspector;
  private readonly inspectKnown: InspectKnown;

  constructor(inspector: TextInspector, inspectKnown: InspectKnown) {
    super();
    this.inspector = inspector;
    this.inspectKnown = inspectKnown;
  }

  /** With detectors the result depends on more than the text, so nothing is cached. */
  inspectSteps(
    text: string,
    surface: Surface,
    detectors: readonly ResponseDetector[] = [],
    joined?: ConcatenatedReading,
  ): Steps<Finding[]> {
    if (detectors.length > 0) return this.inspector.inspectSteps(text, surface, detectors, joined);
    return this.inspectKnown(text, surface, joined);
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
