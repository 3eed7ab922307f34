import {
  type Decoder,
  type EncodedRun,
  EncodedRunStream,
  type EncodingSet,
  RAW_ENCODINGS,
} from './decode/payload-finder.ts';
import { TextWindow } from './text-window.ts';
import { TextView } from './view/text-view.ts';

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
  private readonly view: TextView;
  private readonly window = new TextWindow();
  private readonly runs: EncodedRunStream;
  private readonly decoder: Decoder;

  constructor(encodings: EncodingSet, decoder: Decoder) {
    this.view = new TextView(encodings === RAW_ENCODINGS ? 'raw' : 'exact');
    this.runs = new EncodedRunStream(encodings);
    this.decoder = decoder;
  }

  /** The payloads of the runs that have ended. */
  read(piece: string, last: boolean): Payload[] {
    const text = last ? this.view.push(piece) + this.view.end() : this.view.push(piece);
    this.window.push(text);
    const runs = last ? this.runs.end(text) : this.runs.push(text);
    const payloads = runs.flatMap((run) => this.decode(run));
    this.window.forget(this.runs.settled);
    this.view.positions.forget(this.runs.settled);
    return payloads;
  }

  private decode({ encoding, start, end }: EncodedRun): Payload[] {
    const run = this.window.slice(start, end);
    const text = this.decoder.decode(encoding, run);
    if (text === undefined) return [];
    const { positions } = this.view;
    return [{ encoding: encoding.name, run, text, start: positions.rawStart(start), end: positions.rawEnd(end) }];
  }
}
