/** A pattern outside the supported syntax; the message names the offset in the source and the construct. */
export class PatternSyntaxError extends Error {
  override readonly name = 'PatternSyntaxError';
  readonly offset: number;
  /** What is wrong, without the pattern. */
  readonly problem: string;

  constructor(source: string, offset: number, problem: string) {
    super(`Pattern ${JSON.stringify(source)}, offset ${offset}: ${problem}`);
    this.offset = offset;
    this.problem = problem;
  }
}
