import { readFile, writeFile } from 'node:fs/promises';

/** Whether a file is YAML, by its name. */
export function isYaml(file: string): boolean {
  return /\.ya?ml$/i.test(file);
}

/** Loaded only if needed. A bundle has the default export of a CommonJS package only. */
export async function loadYaml() {
  return (await import('yaml')).default;
}

/** Writes a configuration file. */
export async function writeConfig(file: string, content: object): Promise<void> {
  const text = isYaml(file) ? (await loadYaml()).stringify(content) : `${JSON.stringify(content, null, 2)}\n`;
  await writeFile(file, text);
}

/** Replaces the versions that a configuration file names, and nothing else; comments of YAML stay. Standard input is not written. */
export async function setVersions(file: string, versions: object): Promise<void> {
  if (file === '-') return;
  const text = await readFile(file, 'utf8');
  if (isYaml(file)) {
    const document = (await loadYaml()).parseDocument(text);
    document.set('versions', document.createNode(versions));
    if (document.toString() !== text) await writeFile(file, document.toString());
    return;
  }
  const content = JSON.parse(text) as { readonly versions?: object };
  if (JSON.stringify(content.versions) !== JSON.stringify(versions)) await writeConfig(file, { ...content, versions });
}
