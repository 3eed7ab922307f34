import type { View } from '../rule.ts';
import type { PositionMap } from '../views/position-map.ts';
import type { TextViews } from '../views/text-views.ts';
import { TextWindow } from '../views/text-window.ts';
import { type Decoder, type EncodedRun, EncodedRunStream, type EncodingSet } from './payload-finder.ts';

/** An encoded run that held text, where it stands in the raw text. */
export interface Payload {
  readonly encoding: string;
  /** The run as its view shows it. */
  readonly run: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Finds and undoes the encoded runs of a text that arrives in pieces. */
export class PayloadReader {
  readonly view: View;
  private readonly positions: PositionMap;
  private readonly window = new TextWindow();
  private readonly runs: EncodedRunStream;
  private readonly decoder: Decoder;

  constructor(encodings: EncodingSet, views: TextViews, decoder: Decoder) {
    this.view = encodings.view;
    this.positions = views.positions(this.view);
    this.runs = new EncodedRunStream(encodings);
    this.decoder = decoder;
  }

  /** The payloads of the runs that have ended with the next piece of the view's text. */
  read(text: string, last: boolean): Payload[] {
    this.window.push(text);
    const runs = last ? this.runs.end(text) : this.runs.push(text);
    const payloads = runs.flatMap((run) => this.decode(run));
    if (!last) this.window.forget(this.needed);
    return payloads;
  }

  /** View offset from which on text and positions are still needed. */
  get needed(): number {
    return this.runs.settled;
  }

  private decode({ encoding, start, end }: EncodedRun): Payload[] {
    const run = this.window.slice(start, end);
    const text = this.decoder.decode(encoding, run);
    if (text === undefined) return [];
    const { positions } = this;
    return [{ encoding: encoding.name, run, text, start: positions.rawStart(start), end: positions.rawEnd(end) }];
  }
}
