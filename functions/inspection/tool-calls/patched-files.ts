const START = /^\s*(?:\*\*\* Begin Patch\s*\n|diff --git |--- \S)/;
const FILE = /^(?:\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: |(?:---|\+\+\+) (?:[ab]\/)?)(\S.*?)\s*$/gm;
const NO_FILE = '/dev/null';

/** The files that a text changes if it is a patch: in the form of Codex's `apply_patch`, or a unified diff. */
export function patchedFiles(text: string): string[] {
  if (!START.test(text)) return [];
  const files = [...text.matchAll(FILE)].map(([, file]) => file as string);
  return [...new Set(files)].filter((file) => file !== NO_FILE);
}
