import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { CommanderError } from 'commander';
import { reasonOf, shown } from '../file-errors.ts';
import { findSources, type Source } from './find-sources.ts';
import { parseOptions, type ScanOptions } from './options.ts';
import { Progress } from './progress.ts';
import { type Item, readTexts } from './read-texts.ts';
import { faultOf, Scanner } from './scanner.ts';
import { Summary } from './summary.ts';
import { createWriter } from './write-results.ts';

/** The parts of a process that a scan uses. */
export type Io = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr'>;

const [DONE, FOUND, FAILED] = [0, 1, 2] as const;
/** Texts that take about a millisecond: timers and the output run between them. */
const TEXTS_A_TURN = 64;

/** Runs a scan. @returns the exit code: 0 done, 1 a text reached `--fail-on`, 2 wrong usage or unreadable input */
export async function runScan(argv: readonly string[], io: Io): Promise<number> {
  let options: ScanOptions | undefined;
  try {
    options = parseOptions(argv, io);
  } catch (error) {
    if (error instanceof CommanderError) return FAILED;
    throw error;
  }
  if (options === undefined) return DONE;
  try {
    const out = await openOutput(options.out, io.stdout);
    return await new Scan(options, io, out).run();
  } catch (error) {
    if (!isFileError(error)) throw error;
    io.stderr.write(`${shown(outputFault(options.out as string, error))}\n`);
    return FAILED;
  }
}

/** One run: reads the inputs in order, writes results, counts. */
class Scan {
  private readonly options: ScanOptions;
  private readonly io: Io;
  private readonly out: Output;
  private readonly scanner: Scanner;
  private readonly summary = new Summary();
  private readonly progress: Progress;
  private errors = 0;

  constructor(options: ScanOptions, io: Io, out: Output) {
    this.options = options;
    this.io = io;
    this.out = out;
    this.scanner = new Scanner(options.policy, options.as);
    this.progress = new Progress(io.stderr, !options.quiet);
  }

  async run(): Promise<number> {
    const { format = this.defaultFormat, quiet, failOn } = this.options;
    const writer = createWriter(format);
    const { sources, faults, skippedBinary } = await findSources(this.options);
    const isTyped = sources.some((source) => source.path === undefined) && this.io.stdin.isTTY;
    if (isTyped) this.io.stderr.write('Reading standard input until Ctrl-D; --help shows the usage.\n');
    for (const fault of faults) this.fault(fault);
    const startedAt = performance.now();
    this.progress.start(sources.reduce((sum, { bytes }) => sum + bytes, 0));
    await this.out.write(writer.start());
    for (const source of sources) {
      for await (const item of this.itemsOf(source)) {
        const scanned = await this.scan(item);
        if (scanned === undefined) continue;
        this.summary.add(scanned);
        await this.out.write(writer.result(scanned));
        this.progress.show(this.summary.texts);
        if (this.summary.texts % TEXTS_A_TURN === 0) await setImmediate();
      }
    }
    this.progress.clear();
    const seconds = (performance.now() - startedAt) / 1000;
    const lines = this.summary.lines(seconds, { errors: this.errors, skippedBinary });
    await this.out.write(writer.end(this.errors, lines));
    await this.out.close();
    if (format !== 'report' && !quiet) this.io.stderr.write(`${lines.join('\n')}\n`);
    if (this.errors > 0) return FAILED;
    return failOn !== undefined && this.summary.reaches(failOn) ? FOUND : DONE;
  }

  private get defaultFormat(): 'report' | 'jsonl' {
    return this.options.out === undefined && this.io.stdout.isTTY ? 'report' : 'jsonl';
  }

  /** The items of an input; faults are reported. */
  private async *itemsOf(source: Source): AsyncGenerator<Item> {
    try {
      const onBytes = (bytes: number) => this.progress.read(bytes);
      for await (const item of readTexts(source, this.options.field, this.io.stdin, onBytes)) {
        if ('fault' in item) this.fault(item.fault);
        else yield item;
      }
    } catch (error) {
      if (!isFileError(error)) throw error;
      this.fault(`${source.name}: ${reasonOf(error)}`);
    }
  }

  private async scan(item: Item) {
    try {
      return await this.scanner.scan(item);
    } catch (error) {
      this.fault(faultOf(item, error));
      return undefined;
    }
  }

  private fault(message: string): void {
    this.errors += 1;
    this.progress.clear();
    this.io.stderr.write(`${shown(message)}\n`);
  }
}

function outputFault(file: string, error: unknown): string {
  const folder = path.dirname(file);
  if (existsSync(folder)) return `${file}: ${reasonOf(error)}`;
  return `error: --out: the folder ${folder} does not exist. Create it, or name another file.`;
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

interface Output {
  /** Resolves when more may be written. */
  write(text: string): Promise<void>;
  close(): Promise<void>;
}

/** Its methods throw the error of a file that cannot be written; standard output handles its errors itself. */
async function openOutput(file: string | undefined, stdout: NodeJS.WriteStream): Promise<Output> {
  if (file === undefined) return { write: (text) => writeTo(stdout, text), close: async () => {} };
  const stream = createWriteStream(file);
  let failure: unknown;
  stream.on('error', (error) => {
    failure = error;
  });
  await once(stream, 'open');
  return {
    write: async (text) => {
      if (failure !== undefined) throw failure;
      await writeTo(stream, text);
    },
    close: async () => {
      if (failure !== undefined) throw failure;
      stream.end();
      await once(stream, 'finish');
    },
  };
}

async function writeTo(stream: NodeJS.WritableStream, text: string): Promise<void> {
  if (text !== '' && !stream.write(text)) await once(stream, 'drain');
}
