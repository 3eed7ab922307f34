import type { RequestRecord } from '../../kernel/model/index.ts';

interface Turn {
  readonly time: string;
  readonly tools: readonly string[];
}

/** Calls of a tool in sessions, and those after a call of a public tool in an earlier turn. */
export interface CallsAfter {
  readonly calls: number;
  readonly after: number;
}

/** The order of tool calls in sessions. */
export class SessionTally {
  private readonly turnsBySession = new Map<string, Turn[]>();

  add({ time, keyId, sessionId, toolCalls = [] }: RequestRecord): void {
    if (sessionId === null || toolCalls.length === 0) return;
    const name = JSON.stringify([keyId, sessionId]);
    const turns = this.turnsBySession.get(name) ?? [];
    turns.push({ time, tools: toolCalls.map(({ tool }) => tool) });
    this.turnsBySession.set(name, turns);
  }

  /** The calls of each tool. */
  callsAfter(isPublic: (tool: string) => boolean): ReadonlyMap<string, CallsAfter> {
    const all = new Map<string, CallsAfter>();
    for (const turns of this.turnsBySession.values()) {
      let wasRead = false;
      for (const { tools } of turns.sort((a, b) => (a.time < b.time ? -1 : 1))) {
        for (const tool of tools) {
          const { calls, after } = all.get(tool) ?? { calls: 0, after: 0 };
          all.set(tool, { calls: calls + 1, after: after + (wasRead ? 1 : 0) });
        }
        wasRead ||= tools.some(isPublic);
      }
    }
    return all;
  }
}
