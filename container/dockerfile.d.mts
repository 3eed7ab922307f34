export interface Step {
  readonly instruction: string;
  readonly command?: readonly string[];
  readonly name?: string;
  readonly value?: string;
}
export interface Stage {
  readonly image: string;
  readonly name?: string;
  readonly steps: readonly Step[];
}
export function parseDockerfile(text: string): Stage[];
export function isInContext(ignored: string, file: string): boolean;
