export function run(command: string, args: readonly string[], cwd?: string, env?: NodeJS.ProcessEnv): void;
export function runScript(...args: readonly string[]): void;
export function installOwn(folder: string, options?: { readonly isPartial?: boolean }): void;
export function checkTypes(folder: string): void;
export function runSuite(folder: string, args: readonly string[]): void;
