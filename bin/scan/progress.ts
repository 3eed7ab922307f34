const INTERVAL_MS = 200;
const CLEAR_LINE = '\r\u001b[K';

/** A line with the number and rate of texts, on a terminal only. */
export class Progress {
  private readonly stderr: NodeJS.WriteStream;
  private readonly isShown: boolean;
  private totalBytes = 0;
  private readBytes = 0;
  private startedAt = 0;
  private nextAt = 0;
  private isOnScreen = false;

  constructor(stderr: NodeJS.WriteStream, isWanted: boolean) {
    this.stderr = stderr;
    this.isShown = isWanted && stderr.isTTY === true;
  }

  /** @param totalBytes 0 if unknown */
  start(totalBytes: number): void {
    this.totalBytes = totalBytes;
    this.startedAt = performance.now();
    this.nextAt = this.startedAt + INTERVAL_MS;
  }

  read(bytes: number): void {
    this.readBytes += bytes;
  }

  show(texts: number): void {
    if (!this.isShown) return;
    const now = performance.now();
    if (now < this.nextAt) return;
    this.nextAt = now + INTERVAL_MS;
    this.isOnScreen = true;
    const rate = Math.round((texts * 1000) / (now - this.startedAt));
    const share =
      this.totalBytes > 0 ? `, ${Math.min(100, Math.floor((this.readBytes / this.totalBytes) * 100))} %` : '';
    this.stderr.write(`${CLEAR_LINE}${texts.toLocaleString('en')} texts, ${rate.toLocaleString('en')}/s${share}`);
  }

  clear(): void {
    if (this.isOnScreen) this.stderr.write(CLEAR_LINE);
    this.isOnScreen = false;
  }
}
