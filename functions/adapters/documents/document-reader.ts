import type { Worker } from 'node:worker_threads';
import type { DocumentReader } from '../../inspection/index.ts';
import { DOCUMENT_LIMITS, type DocumentLimits, overChars } from './document-limits.ts';
import type { BinaryDocuments, DocumentMessage, DocumentWork } from './document-worker.ts';

/** Resource limits of a worker exclude buffers, which a few bytes can expand to. */
const MEMORY_CHECK_MS = 50;
/** Concurrent requests whose documents are read: each uses a core and the memory above. */
const MAX_WORKERS = 2;
const MIB = 1024 * 1024;
/** The worker ended unexpectedly: out of heap, or its file is missing. */
const FAILED = 'the document reader failed';

/** Built beside its caller; from sources, the TypeScript file itself. */
const WORKER = new URL(
  import.meta.filename.endsWith('.ts') ? './document-worker.ts' : './document-worker.mjs',
  import.meta.url,
);

interface Reading {
  text: string;
  done: boolean;
  unread: string | undefined;
}

/**
 * Reads documents in a worker thread that ends with the request, so that a malicious document can only affect its worker. The worker
 * loads the reader of a format at its first document.
 */
export class BinaryDocumentReader implements DocumentReader {
  private readonly limits: DocumentLimits;
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(limits: Partial<DocumentLimits> = {}) {
    this.limits = { ...DOCUMENT_LIMITS, ...limits };
  }

  async read(documents: BinaryDocuments): ReturnType<DocumentReader['read']> {
    const readings = documents.map((): Reading => ({ text: '', done: false, unread: undefined }));
    const deadline = AbortSignal.timeout(this.limits.deadlineMs);
    const left = (await this.turn(deadline)) ? await this.inWorker(documents, readings, deadline) : this.late;
    return readings.map(({ text, done, unread }) => ({ text, ...(done ? unread && { unread } : { unread: left }) }));
  }

  private get late(): string {
    return `not read in ${this.limits.deadlineMs / 1000} s`;
  }

  /** Waits until a worker may start. @returns whether it may start before the deadline */
  private turn(deadline: AbortSignal): Promise<boolean> {
    if (this.running < MAX_WORKERS) {
      this.running += 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const begin = () => resolve(true);
      this.waiting.push(begin);
      deadline.addEventListener('abort', () => {
        const at = this.waiting.indexOf(begin);
        if (at < 0) return;
        this.waiting.splice(at, 1);
        resolve(false);
      });
    });
  }

  /** @returns why it ended early, if it did */
  private async inWorker(
    documents: BinaryDocuments,
    readings: readonly Reading[],
    deadline: AbortSignal,
  ): Promise<string> {
    const { maxChars, maxMemoryMb } = this.limits;
    const { Worker: Thread } = await import('node:worker_threads');
    const worker = new Thread(WORKER, {
      workerData: { documents, maxChars } satisfies DocumentWork,
      env: {},
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb, maxYoungGenerationSizeMb: 32 },
    });
    try {
      return await new Promise<string>((resolve) => {
        let chars = 0;
        worker.on('message', (message: DocumentMessage) => {
          const reading = readings[message.document] as Reading;
          if ('done' in message) Object.assign(reading, { done: true, unread: message.unread });
          else {
            reading.text += message.text.slice(0, Math.max(0, maxChars - chars));
            chars += message.text.length;
            if (chars > maxChars) resolve(overChars(maxChars));
          }
        });
        worker.on('error', () => resolve(FAILED));
        worker.on('exit', () => resolve(FAILED));
        deadline.addEventListener('abort', () => resolve(this.late));
        checkMemory(worker, maxMemoryMb * MIB, () => resolve(`over ${maxMemoryMb} MiB of memory`));
      });
    } finally {
      await worker.terminate();
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}

function checkMemory(worker: Worker, most: number, onMore: () => void): void {
  const timer = setInterval(async () => {
    try {
      const { used_heap_size: heap, external_memory: buffers } = await worker.getHeapStatistics();
      if (heap + buffers > most) onMore();
    } catch {
      // It has ended meanwhile.
    }
  }, MEMORY_CHECK_MS);
  timer.unref();
  worker.once('exit', () => clearInterval(timer));
}
