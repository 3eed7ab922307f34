import { createHash } from 'node:crypto';

/** Calls that this process remembers. */
const MAX_CALLS = 5_000;

/**
 * Calls of responses that were inspected and sent: the next request of the conversation contains them, and one call is reported once. Another
 * process does not know them, and reports one again at most.
 */
export class SentCalls {
  private readonly digests = new Set<string>();

  add(sender: string | undefined, tool: string, args: unknown): void {
    if (sender === undefined) return;
    const [oldest] = this.digests.size >= MAX_CALLS ? this.digests : [];
    if (oldest !== undefined) this.digests.delete(oldest);
    this.digests.add(digestOf(sender, tool, args));
  }

  has(sender: string | undefined, tool: string, args: unknown): boolean {
    return sender !== undefined && this.digests.has(digestOf(sender, tool, args));
  }
}

function digestOf(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
