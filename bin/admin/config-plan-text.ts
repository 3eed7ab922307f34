import type { ChangedSince } from './config-documents.ts';
import type { Plan, Step } from './config-file.ts';
import type { Output } from './output.ts';

/** Prints what a plan changes, and what stays. */
export function printPlan({ steps, extraneous, since, missing }: Plan, out: Output): void {
  const kept = extraneous.map((one) => ({
    do: 'keep',
    id: one.id,
    ...('name' in one ? { name: one.name } : { url: one.url }),
  }));
  const changed = since.map((one) => ({ do: one.isKept ? 'keep' : 'conflict', ...one }));
  const added = missing.map((one) => ({ do: 'add credential', ...one }));
  if (out.json) out.objects([...steps.map(withoutSecret), ...kept, ...changed, ...added]);
  for (const one of since) out.line(sinceLine(one));
  for (const { name, provider, usedBy } of missing) {
    const users = usedBy.length === 0 ? '' : ` (named by ${usedBy.join(', ')})`;
    out.line(`! credential '${name}'${users} is to be added: svc admin credentials create ${provider} '${name}'`);
  }
  for (const step of steps) for (const line of linesOf(step)) out.line(line);
  for (const one of extraneous) out.line(`  ${nameOf(one.object, one)} (${one.id}) is not in the file and stays`);
  if (steps.length === 0) out.line('No changes.');
}

/** A plan may be kept in a log, where guesses of an imported secret could be tested. */
function withoutSecret(step: Step): object {
  if (step.do !== 'create key') return step;
  const { importedSecret, ...entry } = step.entry;
  return { ...step, entry: { ...entry, ...(importedSecret && { importedSecret: { last4: importedSecret.last4 } }) } };
}

function sinceLine({ document, part, isKept, inFile, deployed, version, createdAt, createdBy }: ChangedSince): string {
  const changed = `set to ${shown(deployed)} by version ${version} at the latest (${createdAt ?? 'unknown time'}, ${createdBy ?? 'an operator'})`;
  const place = document === part ? document : `${document} ${part}`;
  return isKept
    ? `! ${place}: ${changed}, and stays; the file has ${shown(inFile)}`
    : `! ${place}: ${changed}; the file changes it to ${shown(inFile)}`;
}

/** Such as `key 'shop'`. */
function nameOf(kind: string, one: { readonly name: string } | { readonly url: string }): string {
  return 'url' in one ? `${kind} ${one.url}` : `${kind} '${one.name}'`;
}

/** A step, and below it each field that it changes. */
export function linesOf(step: Step): string[] {
  const kind = step.do.split(' ').at(-1) ?? '';
  if ('entry' in step) return [`+ ${nameOf(kind, step.entry)}`];
  if (!('before' in step)) return [`- ${nameOf(kind, step)} (${step.id})`];
  const head = 'document' in step ? `~ ${step.document}` : `~ ${nameOf(kind, step)} (${step.id})`;
  const [before, after] = [new Map(Object.entries(step.before)), new Map(Object.entries(step.after))];
  const names = new Set([...before.keys(), ...after.keys()]);
  const changed = [...names].map((name) => [name, shown(before.get(name)), shown(after.get(name))]);
  return [
    head,
    ...changed.filter(([, was, is]) => was !== is).map(([name, was, is]) => `    ${name}: ${was} -> ${is}`),
  ];
}

function shown(value: unknown): string {
  return value === undefined ? 'none' : JSON.stringify(value);
}
