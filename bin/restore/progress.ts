import { readFile, rename, writeFile } from 'node:fs/promises';
import * as z from 'zod';

const tableSchema = z.object({
  /** The table that is copied: restored by DynamoDB, or the original one. */
  source: z.string(),
  /** Segments of the parallel scan that are copied. */
  done: z.array(z.int()),
  copied: z.int(),
  /** Items that the target had. */
  kept: z.int(),
  /** Items whose time to live was over. */
  expired: z.int(),
});
const progressSchema = z.object({
  /** What is restored, to refuse a file of another restore. */
  of: z.string(),
  segments: z.int(),
  tables: z.record(z.string(), tableSchema),
});

export type TableProgress = z.output<typeof tableSchema>;
type Progress = z.output<typeof progressSchema>;

/** How far a restore is, in a file, so that a second run continues. It has names and numbers, and nothing of the items. */
export class RestoreProgress {
  private readonly file: string;
  private readonly state: Progress;
  private writing: Promise<void> = Promise.resolve();

  private constructor(file: string, state: Progress) {
    this.file = file;
    this.state = state;
  }

  /** Of the file, or new without one. @throws Error if the file is of another restore, or unreadable */
  static async open(file: string, of: string, segments: number): Promise<RestoreProgress> {
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (text === undefined) return new RestoreProgress(file, { of, segments, tables: {} });
    const parsed = progressSchema.safeParse(parseJson(text));
    if (!parsed.success) throw new Error(`'${file}' is not the progress of a restore: delete it, or name another file`);
    if (parsed.data.of !== of)
      throw new Error(`'${file}' is of another restore (${parsed.data.of}): name another file with --progress`);
    return new RestoreProgress(file, parsed.data);
  }

  get segments(): number {
    return this.state.segments;
  }

  /** Whether an earlier run began to copy the table. */
  table(name: string): TableProgress | undefined {
    return this.state.tables[name];
  }

  async begin(name: string, source: string): Promise<TableProgress> {
    const begun = { source, done: [], copied: 0, kept: 0, expired: 0 };
    this.state.tables[name] = begun;
    await this.save();
    return begun;
  }

  /** Writes the file as a whole, one write after the other. */
  async save(): Promise<void> {
    this.writing = this.writing.then(async () => {
      await writeFile(`${this.file}.new`, `${JSON.stringify(this.state, null, 1)}\n`, { mode: 0o600 });
      await rename(`${this.file}.new`, this.file);
    });
    await this.writing;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
