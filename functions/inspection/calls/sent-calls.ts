import { createHash } from 'node:crypto';
import { isObject } from '../../kernel/json/index.ts';

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

function digestOf(sender: string, tool: string, args: unknown): string {
  const parts = [sender, tool, textOf(args) ?? args];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

/** The text of a custom tool's call: a response has it alone, the next request as the `input` of a function. */
function textOf(args: unknown): string | undefined {
  if (!isObject(args) || Object.keys(args).length !== 1) return undefined;
  return typeof args.input === 'string' ? args.input : undefined;
}
