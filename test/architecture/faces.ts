import path from 'node:path';
import { type CallExpression, type Declaration, type Expression, type ModuleItem, parseSync } from '@swc/core';
import { FUNCTION_FOLDER, filesImportedBy, importsOf, type SourceFile } from './sources.ts';

/**
 * Folders that other code imports through their `index.ts` only, each with the most names that it may export. A folder in a folder of the
 * list has its own index for the rest of that folder.
 */
export const FACES: Readonly<Record<string, number>> = {
  'functions/kernel/errors': 34,
  'functions/kernel/tasks': 16,
  'functions/kernel/crypto': 11,
  'functions/kernel/json': 39,
  'functions/kernel/http': 63,
  'functions/kernel/model': 295,
  'functions/kernel/teams': 7,
  'functions/kernel/alerts': 9,
  'functions/kernel/policies': 8,
  'functions/kernel/configuration': 29,
  'functions/kernel/identity': 10,
  'functions/kernel/words': 3,
  'functions/contract': 79,
  'functions/control/documents': 5,
  'functions/control/override': 4,
  'functions/control/policy': 3,
  'functions/control/teams': 1,
  'functions/control/rollout': 6,
  'functions/control/audit': 18,
  'functions/control/sessions': 9,
  'functions/control/identities': 12,
  'functions/control/keys': 44,
  'functions/control/limits': 59,
  'functions/control/analytics': 45,
  'functions/control/webhooks': 38,
  'functions/control/batches': 3,
  'functions/control/idempotency': 6,
  'functions/control/stored-items': 10,
  'functions/control/tool-pins': 6,
  'functions/control/spend': 7,
  'functions/control/tool-usage': 4,
  'functions/control/findings': 3,
  'functions/control/alerts': 5,
  'functions/control/approvals': 16,
  'functions/control/credentials': 16,
  'functions/control/federation': 10,
  'functions/inspection': 31,
  'functions/inspection/across-texts': 4,
  'functions/inspection/addresses': 5,
  'functions/inspection/classification': 14,
  'functions/inspection/custom-rules': 4,
  'functions/inspection/decoding': 15,
  'functions/inspection/detectors': 6,
  'functions/inspection/files': 7,
  'functions/inspection/fusion': 7,
  'functions/inspection/input': 3,
  'functions/inspection/inspector': 2,
  'functions/inspection/matching': 28,
  'functions/inspection/moderation': 2,
  'functions/inspection/output': 43,
  'functions/inspection/outside': 9,
  'functions/inspection/pattern-engine': 17,
  'functions/inspection/policy': 13,
  'functions/inspection/recorded': 2,
  'functions/inspection/report': 22,
  'functions/inspection/tool-calls': 22,
  'functions/inspection/tool-definitions': 10,
  'functions/inspection/tool-policy': 7,
  'functions/inspection/calls': 1,
  'functions/inspection/views': 33,
  'functions/translation': 69,
  'functions/translation/routing': 36,
  'functions/pipeline': 60,
  'functions/replay': 4,
  'functions/server': 3,
};

/** What other code may import of the folder of one Lambda function. */
const ENTRIES = /^functions\/[^/]+\/(?:handler|compose|env|deployed-gateway)\.ts$/;
const FIXTURE = /\.fixture\.ts$/;

/** Every import past the index of a folder, as a sentence. Fixtures are for all tests. */
export function findImportsPastIndex(
  files: readonly SourceFile[],
  faces: readonly string[] = Object.keys(FACES),
): string[] {
  const outermostFirst = [...faces].sort((a, b) => a.length - b.length);
  return files.flatMap((file) =>
    filesImportedBy(file)
      .filter((target) => !FIXTURE.test(target))
      .flatMap((target) => {
        const isOutside = (folder: string) => target.startsWith(`${folder}/`) && !file.path.startsWith(`${folder}/`);
        const face = outermostFirst.find(isOutside);
        const isPast = face !== undefined && target !== `${face}/index.ts`;
        return isPast ? [`${file.path}: may not import ${target}, but ${face}/index.ts`] : [];
      }),
  );
}

/** Every import of the inside of a Lambda function by other code, as a sentence. */
export function findImportsPastEntry(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) =>
    filesImportedBy(file)
      .filter((target) => !FIXTURE.test(target))
      .filter((target) => {
        const own = FUNCTION_FOLDER.exec(target)?.[0];
        return own !== undefined && !file.path.startsWith(own) && !ENTRIES.test(target);
      })
      .map((target) => `${file.path}: may not import ${target}, which is inside a function`),
  );
}

/** What is wrong with the indexes of `faces`, as sentences: too many names, names that nothing imports, or more than names of other files. */
export function findIndexFaults(
  files: readonly SourceFile[],
  faces: Readonly<Record<string, number>> = FACES,
): string[] {
  const sources = new Map(files.map((file) => [file.path, file.source]));
  const used = namesUsedOf(files);
  return Object.entries(faces).flatMap(([folder, budget]) => {
    const index = `${folder}/index.ts`;
    const source = sources.get(index);
    if (source === undefined) return [`${index} is missing`];
    const names = exportedNames(parse(source));
    const count = countNames(sources, index);
    if (names === undefined || count === undefined)
      return [`${index}: may only re-export names of other files, each by name`];
    const over =
      count > budget ? [`${index}: exports ${count} names, members of objects included; ${budget} at most`] : [];
    const unused = names.filter(({ exported }) => !used.has(`${index} ${exported}`));
    return [...over, ...unused.map(({ exported }) => `${index}: nothing imports ${exported}`)];
  });
}

/** How many names an index exports, members of objects included; undefined if it has anything but re-exports by name. */
function countNames(sources: ReadonlyMap<string, string>, index: string): number | undefined {
  return exportedNames(parse(sources.get(index) ?? ''))?.reduce(
    (sum, { file, name }) => sum + membersOf(sources, inFolder(index, file), name),
    0,
  );
}

interface ExportedName {
  /** As the index names it. */
  readonly exported: string;
  readonly name: string;
  /** Relative. */
  readonly file: string;
}

/** The names that an index takes from other files; undefined if it has anything else, such as `export *`. */
function exportedNames(items: readonly ModuleItem[]): ExportedName[] | undefined {
  const names: ExportedName[] = [];
  for (const item of items) {
    if (item.type !== 'ExportNamedDeclaration' || !item.source) return undefined;
    for (const specifier of item.specifiers) {
      if (specifier.type !== 'ExportSpecifier') return undefined;
      const name = specifier.orig.value;
      names.push({ exported: specifier.exported?.value ?? name, name, file: item.source.value });
    }
  }
  return names;
}

/** The names by which a name counts: the members of an object, the static ones of a class, else 1. */
function membersOf(sources: ReadonlyMap<string, string>, file: string, name: string): number {
  const source = sources.get(file);
  if (source === undefined) return 1;
  for (const item of parse(source)) {
    if (item.type === 'ExportNamedDeclaration' && item.source) {
      const target = inFolder(file, item.source.value);
      const passed = exportedNames([item])?.find(({ exported }) => exported === name);
      if (passed) return membersOf(sources, target, passed.name);
    }
    if (item.type === 'ExportDeclaration') {
      const members = declaredMembers(item.declaration, name);
      if (members !== undefined) return Math.max(1, members);
    }
  }
  return 1;
}

/** The members of what a declaration declares under a name; undefined if it declares another. */
function declaredMembers(declaration: Declaration, name: string): number | undefined {
  switch (declaration.type) {
    case 'VariableDeclaration': {
      const one = declaration.declarations.find(({ id }) => id.type === 'Identifier' && id.value === name);
      return one && objectMembers(one.init ?? undefined);
    }
    case 'ClassDeclaration':
      return declaration.identifier.value === name
        ? declaration.body.filter(
            (member) => 'isStatic' in member && member.isStatic && member.accessibility !== 'private',
          ).length
        : undefined;
    case 'TsEnumDeclaration':
      return declaration.id.value === name ? declaration.members.length : undefined;
    default:
      return undefined;
  }
}

function objectMembers(value: Expression | undefined): number {
  switch (value?.type) {
    case 'ObjectExpression':
      return value.properties.length;
    case 'TsAsExpression':
    case 'TsSatisfiesExpression':
    case 'TsConstAssertion':
    case 'ParenthesisExpression':
      return objectMembers(value.expression);
    case 'CallExpression':
      return isObjectMethod(value.callee) ? objectMembers(value.arguments[0]?.expression) : 0;
    default:
      return 0;
  }
}

/** `Object.freeze` and the like. */
function isObjectMethod(callee: CallExpression['callee']): boolean {
  return callee.type === 'MemberExpression' && callee.object.type === 'Identifier' && callee.object.value === 'Object';
}

/** `FILE NAME` for each name that a file imports. A file that imports another when it runs may use any word of its text. */
function namesUsedOf(files: readonly SourceFile[]): Set<string> {
  const used = files.flatMap((file) =>
    importsOf(file).flatMap(({ file: target, names }) =>
      (names[0] === '*' ? (file.source.match(/\w+/g) ?? []) : names).map((name) => `${target} ${name}`),
    ),
  );
  return new Set(used);
}

function inFolder(from: string, target: string): string {
  return path.posix.join(path.posix.dirname(from), target);
}

function parse(source: string): ModuleItem[] {
  return parseSync(source, { syntax: 'typescript', target: 'es2022' }).body;
}

/** How much other code imports from a folder with an index. */
export interface FaceUse {
  readonly folder: string;
  /** That the index exports, members of objects included. */
  readonly names: number;
  readonly mostNames: number;
  /** Files. */
  readonly importers: number;
}

/** The use of each index. */
export function measureFaces(files: readonly SourceFile[]): FaceUse[] {
  const sources = new Map(files.map((file) => [file.path, file.source]));
  return Object.entries(FACES).map(([folder, mostNames]) => {
    const index = `${folder}/index.ts`;
    const importers = files.filter(
      (file) => !file.path.startsWith(`${folder}/`) && filesImportedBy(file).includes(index),
    );
    return { folder, names: countNames(sources, index) ?? Number.NaN, mostNames, importers: importers.length };
  });
}
