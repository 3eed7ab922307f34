import { registerHooks } from 'node:module';
import type { Engine } from './engine.ts';

const COPY = 'copy';

/** Our modules that a copy imports are copies too, so that each copy has its own state and compiled code. */
registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    const copy = context.parentURL === undefined ? null : new URL(context.parentURL).searchParams.get(COPY);
    if (copy === null || !resolved.url.startsWith('file:') || resolved.url.includes('/node_modules/')) return resolved;
    const url = new URL(resolved.url);
    url.searchParams.set(COPY, copy);
    return { ...resolved, url: url.href };
  },
});

let copies = 0;

/** A copy of the engine without some parts. It shares no module with other copies in this process. */
export async function loadEngine(withoutParts: readonly string[]): Promise<Engine> {
  copies += 1;
  const module = (await import(`./engine.ts?${COPY}=${copies}`)) as typeof import('./engine.ts');
  return new module.Engine(withoutParts);
}
