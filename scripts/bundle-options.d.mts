import type { BuildOptions } from 'esbuild';

export const BUNDLE_OPTIONS: BuildOptions;
