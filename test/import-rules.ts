import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
const SOURCE = /\.(?:tsx?|mjs)$/;
/** Tests and files that only they import are beside the code. */
const NOT_SHIPPED = /\.(?:test|fixture|examples|cases)\.ts$/;
/** Folders of product code; its tests are beside it. */
export const PRODUCT_FOLDERS = ['functions', 'lib', 'bin', 'dashboard', 'container'] as const;

export interface SourceFile {
  /** From the repository's root, with `/`. */
  readonly path: string;
  readonly source: string;
}

/** The source files of folders of the repository, with their tests. */
export function sourcesIn(folders: readonly string[]): SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`)
      .filter((name) => SOURCE.test(name) && !name.includes('node_modules/'))
      .map((name) => ({ path: name, source: readFileSync(path.join(ROOT, name), 'utf8') })),
  );
}

/** The source files of the product, without tests. */
export function shippedSources(): SourceFile[] {
  return sourcesIn(PRODUCT_FOLDERS).filter((file) => !NOT_SHIPPED.test(file.path));
}

/** What the files of a folder may import, by the first folder that fits: files of the repository, and packages. */
interface ImportRule {
  readonly folder: RegExp;
  readonly files: readonly RegExp[];
  readonly packages: readonly RegExp[];
  /** Files of which types alone may be imported. */
  readonly typesOf?: readonly RegExp[];
}

const CORE = /^functions\/core\//;
const NODE = /^node:/;
const ZOD = /^zod$/;
const ENV = /^functions\/[^/]+\/env\.ts$/;
/** Tables, which stacks make and functions use. */
const TABLES = /^functions\/adapters\/dynamo\/tables\.ts$/;
/** Names that what emits metrics shares with what looks at them; the kinds of threat are among them. */
const METRIC_NAMES = /^functions\/core\/model\/(?:metric-names|threat)\.ts$/;
/** Errors of validation name the faulty field in the same way. */
const FAULTS = /^functions\/core\/base\/first-fault\.ts$/;
/** What the API's operations are, for the code that serves them and the code that calls them. */
const CONTRACT = /^functions\/contract\//;
const ITS_OWN_FUNCTION = /^functions\/(?!core|contract|detectors|providers|adapters|server)[^/]+\//;

const RULES: readonly ImportRule[] = [
  // The contract is between the vocabulary and the features, which return what it declares.
  // package.json: the version in an example.
  { folder: CONTRACT, files: [CONTRACT, /^functions\/core\/(?:base|model)\//, /^package\.json$/], packages: [ZOD] },
  {
    folder: /^functions\/core\/(?:policy|routing|replay)\//,
    files: [CORE],
    typesOf: [CONTRACT],
    packages: [ZOD, /^lru-cache$/, /^node:(?:crypto|net|zlib)$/],
  },
  { folder: CORE, files: [CORE], packages: [ZOD, /^eventsource-parser$/, /^lru-cache$/, /^node:(?:crypto|net|zlib)$/] },
  {
    folder: /^functions\/detectors\//,
    files: [/^functions\/detectors\//, CORE],
    packages: [/^libphonenumber-js\/core$/],
  },
  { folder: /^functions\/providers\//, files: [/^functions\/providers\//, CORE], packages: [ZOD] },
  {
    folder: /^functions\/adapters\//,
    files: [/^functions\/adapters\//, CORE],
    packages: [
      /^@aws-lambda-powertools\//,
      /^@aws-sdk\//,
      /^@middy\//,
      /^@smithy\//,
      /^aws4$/,
      /^jose$/,
      /^lru-cache$/,
      /^undici(?:\/|$)/,
      /^unpdf\/pdfjs$/,
      ZOD,
      NODE,
    ],
  },
  // The HTTP server of several homes composes what the functions compose.
  { folder: /^functions\/server\//, files: [/^functions\//], packages: [NODE] },
  {
    folder: ITS_OWN_FUNCTION,
    // package.json: the version that /healthz returns.
    files: [/^functions\/(?:core|contract|detectors|providers|adapters)\//, /^package\.json$/],
    packages: [/^@middy\//, /^@aws-lambda-powertools\//, ZOD, NODE],
  },
  // The local run composes the functions over embedded stores.
  {
    folder: /^lib\/local\//,
    files: [/^lib\//, /^functions\//],
    packages: [/^@aws-sdk\//, /^dynalite$/, /^fauxqs$/, /^level$/, ZOD, NODE],
  },
  {
    folder: /^lib\//,
    files: [/^lib\//, ENV, TABLES, METRIC_NAMES, FAULTS],
    packages: [/^aws-cdk-lib(?:\/|$)/, /^constructs$/, /^cdk-nag$/, ZOD, NODE],
  },
  // The dashboard: types of the admin API, and nothing that runs on a server.
  {
    folder: /^dashboard\/src\//,
    files: [/^dashboard\/src\//],
    typesOf: [CONTRACT],
    packages: [/^react(?:-dom)?(?:\/|$)/, /^@mantine\//, /^@tanstack\/react-/, /^wouter(?:\/|$)/, /^marked$/],
  },
  { folder: /^dashboard\//, files: [], packages: [/^vite$/, NODE] },
  {
    folder: /^bin\//,
    // package.json: the version.
    files: [/^bin\//, /^lib\//, /^functions\//, /^package\.json$/],
    packages: [/^@aws-sdk\//, /^aws-cdk-lib(?:\/|$)/, /^commander$/, NODE],
  },
];

const IMPORT = /(?:^|[\n;])\s*(?:import|export)\s(?:[^'";]*?\sfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;
const NAMED_ZOD = /import\s+(?:type\s+)?\{[^}]*\}\s*from\s*['"]zod['"]/;

const ANY_IMPORT = /\b(?:from|import|require|resolve)\s*\(?\s*['"]([^'"]+)['"]/g;
/** A package's folder of code, or its files past the module resolution; its commands in `.bin` are public. */
const PRIVATE = /^(?:@[^/]+\/)?[^./@][^/]*\/(?:.*\/)?(?:lib|dist|src|build)(?:-[^/]*)?\/|node_modules\/(?!\.bin\/)/;

/** A peer of bench/detection.ts whose package has no main file. */
const WITHOUT_API = '/@coo-quack/sensitive-canary/';

/** Every import of a package's private files, as a sentence. */
export function findPrivateImports(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, source }) =>
    [...source.matchAll(ANY_IMPORT)]
      .map(([, target = '']) => target)
      .filter((target) => PRIVATE.test(target) && !target.includes(WITHOUT_API))
      .map((target) => `${path}: may not import ${target}, a private file`),
  );
}

/** Every import that the table of docs/architecture.md forbids, as a sentence. Files outside the table are not checked. */
export function findForbiddenImports(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const rule = RULES.find(({ folder }) => folder.test(file.path));
    const named = NAMED_ZOD.test(file.source)
      ? [`${file.path}: import zod as 'import * as z', or all of it is bundled`]
      : [];
    const forbidden = [...file.source.matchAll(IMPORT)].flatMap((match) => {
      const target = (match[1] ?? match[2]) as string;
      const typesOnly = /^[\n;\s]*(?:import|export)\s+type\s/.test(match[0]);
      return rule === undefined || mayImport(rule, file.path, target, typesOnly)
        ? []
        : [`${file.path}: may not import ${target}`];
    });
    return [...named, ...forbidden];
  });
}

function mayImport(rule: ImportRule, from: string, target: string, typesOnly: boolean): boolean {
  if (!target.startsWith('.')) return rule.packages.some((allowed) => allowed.test(target));
  const file = path.posix.join(path.posix.dirname(from), target);
  const own = ITS_OWN_FUNCTION.exec(from)?.[0];
  if (typesOnly && rule.typesOf?.some((allowed) => allowed.test(file))) return true;
  return (own !== undefined && file.startsWith(own)) || rule.files.some((allowed) => allowed.test(file));
}

/** The folders of functions/core from the bottom up. A folder imports itself and folders of lower layers. */
const LAYERS: readonly (readonly string[])[] = [
  ['base'],
  ['http'],
  ['model'],
  ['pattern-engine'],
  ['inspect'],
  ['policy', 'audit', 'sessions'],
  ['keys', 'limits', 'analytics', 'webhooks', 'idempotency', 'stored-items', 'findings', 'moderation'],
  ['protocols'],
  ['files', 'routing'],
  ['pipeline'],
  ['replay'],
];
const LAYER_OF = new Map(LAYERS.flatMap((folders, layer) => folders.map((folder) => [folder, layer] as const)));
const CORE_FOLDER = /^functions\/core\/([^/]+)\//;

/** Every import between folders of core that does not go to a lower layer, as a sentence. Imports of types count too. */
export function findLayerViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const from = CORE_FOLDER.exec(file.path)?.[1];
    if (from === undefined) return [];
    const layer = LAYER_OF.get(from);
    if (layer === undefined) return [`${file.path}: functions/core/${from} has no layer`];
    return filesImportedBy(file).flatMap((target) => {
      const to = CORE_FOLDER.exec(target)?.[1];
      const isAllowed = to === undefined || to === from || (LAYER_OF.get(to) ?? LAYERS.length) < layer;
      return isAllowed ? [] : [`${file.path}: may not import ${target}, which is not in a lower layer`];
    });
  });
}

/** Folders whose files are imported through their `index.ts` only, but for fixtures and their own files. */
const BEHIND_INDEX = ['functions/inspection/pattern-engine/'];

/** Every import of a file behind another folder's `index.ts`, as a sentence. */
export function findImportsPastIndex(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) =>
    filesImportedBy(file)
      .filter((target) => BEHIND_INDEX.some((folder) => isPastIndex(file.path, target, folder)))
      .map((target) => `${file.path}: may not import ${target}, but its folder's index.ts`),
  );
}

function isPastIndex(from: string, target: string, folder: string): boolean {
  return target.startsWith(folder) && target !== `${folder}index.ts` && !from.startsWith(folder);
}

/** Every import of a bench by the product or a test, as a sentence: a bench measures them and may change at any time. */
export function findBenchImports(files: readonly SourceFile[]): string[] {
  return files
    .filter((file) => !file.path.startsWith('bench/'))
    .flatMap((file) =>
      filesImportedBy(file)
        .filter((target) => target.startsWith('bench/'))
        .map((target) => `${file.path}: may not import ${target}, a bench`),
    );
}

/** The modules of docs/architecture.md, each with its folders. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  kernel: ['kernel/json', 'kernel/model', 'kernel/http'],
  inspection: ['inspection/pattern-engine', 'inspection', 'inspection/moderation', 'inspection/files', 'detectors'],
  translation: ['translation/protocols', 'translation/routing', 'providers'],
  control: [
    ...['keys', 'limits', 'sessions', 'analytics', 'webhooks', 'audit', 'policy', 'idempotency'],
    ...['stored-items', 'findings', 'replay'],
  ].map((folder) => `core/${folder}`),
  pipeline: ['pipeline', 'gateway'],
};

/** What other code imports from a module; types count too. */
export interface ModuleUse {
  readonly module: string;
  /** Each name once, under each file that exports it. */
  readonly names: number;
  /** Files of the module that others import. */
  readonly files: number;
  readonly importers: number;
}

/** Counts the names that are imported across the borders of modules. An import of a whole file counts as one name. */
export function countModuleUse(files: readonly SourceFile[]): ModuleUse[] {
  const used = Object.keys(MODULES).map((module) => ({
    module,
    names: new Set<string>(),
    files: new Set<string>(),
    importers: new Set<string>(),
  }));
  for (const file of files) {
    const own = moduleOf(file.path);
    for (const { target, names } of importsOf(file)) {
      const use = used.find(({ module }) => module !== own && module === moduleOf(target));
      if (use === undefined) continue;
      for (const name of names) use.names.add(`${target} ${name}`);
      use.files.add(target);
      use.importers.add(file.path);
    }
  }
  return used.map(({ module, names, files, importers }) => ({
    module,
    names: names.size,
    files: files.size,
    importers: importers.size,
  }));
}

function moduleOf(file: string): string | undefined {
  const isIn = (folder: string) => file.startsWith(`functions/${folder}/`);
  return Object.keys(MODULES).find((module) => MODULES[module]?.some(isIn));
}

/** Every group of files that import each other in a cycle. Imports of types count too. */
export function findImportCycles(files: readonly SourceFile[]): string[][] {
  const known = new Set(files.map((file) => file.path));
  const importsOf = new Map(
    files.map((file) => [file.path, filesImportedBy(file).filter((target) => known.has(target))] as const),
  );
  return stronglyConnected(importsOf).filter((group) => group.length > 1);
}

function filesImportedBy(file: SourceFile): string[] {
  return importsOf(file).map(({ target }) => target);
}

/** The imports of files of the repository. `names` are as exported; `*` is the whole file. */
function importsOf({ path: from, source }: SourceFile): { readonly target: string; readonly names: string[] }[] {
  return [...source.matchAll(IMPORT)].flatMap(([statement, clauseTarget, calledTarget]) => {
    const target = (clauseTarget ?? calledTarget) as string;
    if (!target.startsWith('.')) return [];
    const names = /\{([^}]*)\}/
      .exec(statement)?.[1]
      ?.split(',')
      .map((name) => name.replace(/^\s*type\s+|\sas\s.*$/gs, '').trim())
      .filter((name) => name !== '');
    return [{ target: path.posix.join(path.posix.dirname(from), target), names: names ?? ['*'] }];
  });
}

/** Tarjan's algorithm. */
function stronglyConnected(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const groups: string[][] = [];
  const visit = (node: string): number => {
    const index = order.size;
    order.set(node, index);
    lowest.set(node, index);
    stack.push(node);
    for (const next of edges.get(node) ?? []) {
      const reached = order.has(next) ? (stack.includes(next) ? (order.get(next) as number) : index) : visit(next);
      lowest.set(node, Math.min(lowest.get(node) as number, reached));
    }
    if (lowest.get(node) === index) groups.push(stack.splice(stack.indexOf(node)));
    return lowest.get(node) as number;
  };
  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return groups;
}
