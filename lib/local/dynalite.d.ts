/** The package has no types. */
declare module 'dynalite' {
  import type { Server } from 'node:http';

  export default function createDynalite(options: { createTableMs: number; path?: string }): Server;
}
