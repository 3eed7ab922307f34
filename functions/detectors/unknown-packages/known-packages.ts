import file from './known-packages.generated.json' with { type: 'json' };
import { NameFilter, type Registry } from './name-filter.ts';
import { isPlaceholder } from './package-names.ts';

let known: NameFilter | undefined;

/** Whether a registry has a package of this name, as far as the filter knows; a scope vouches for all that is in it. */
export function isKnownPackage(registry: Registry, name: string): boolean {
  known ??= new NameFilter(Buffer.from(file.bits, 'base64'), file.probes);
  const asked = registry === 'npm' && name.startsWith('@') ? name.slice(0, name.indexOf('/')) : name;
  return isPlaceholder(name) || known.has(registry, asked);
}
