import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { coveringStages, nameOf } from './setting-combinations.ts';
import { synthesize } from './synthesize.ts';

/** Writes each different template of the covering stages once, and returns the file names with the settings and the stack that they are of. */
export function writeCoveringTemplates(folder: string): Map<string, string> {
  const names = new Map<string, string>();
  const written = new Set<string>();
  for (const settings of coveringStages()) {
    const { data, edge, gateway, operations } = synthesize(settings);
    for (const [stack, template] of Object.entries({ data, edge, gateway, operations })) {
      const text = JSON.stringify(template);
      if (text === undefined || written.has(text)) continue;
      written.add(text);
      const file = `${names.size}-${stack}.json`;
      writeFileSync(path.join(folder, file), text);
      names.set(file, `${stack} of ${nameOf(settings)}`);
    }
  }
  return names;
}
