/** A tool that a request declares, in any API. */
export interface DeclaredTool {
  /** As the client wrote it, after its server or namespace: `search`, `crm/search`. */
  readonly name: string;
  /** Its place in the request: `tools[0].function`. */
  readonly field: string;
  /** What the model reads of it besides the name. `parameters` is the schema of its arguments in every API. */
  readonly definition: Readonly<Record<string, unknown>>;
}

/** The tools of a request. */
export interface DeclaredTools {
  readonly tools: readonly DeclaredTool[];
  /** Places of tools whose definition the provider adds: its own tools, and those of remote servers. */
  readonly undefinedAt: readonly string[];
}
