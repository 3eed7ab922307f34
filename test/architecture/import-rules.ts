import { FUNCTION_FOLDER, filesImportedBy, type Import, importsOf, type SourceFile } from './sources.ts';

/** What the files of a folder may import, by the first folder that fits: files of the repository, and packages. */
interface ImportRule {
  readonly folder: RegExp;
  readonly files: readonly RegExp[];
  readonly packages: readonly RegExp[];
  /** Files of which types alone may be imported. */
  readonly typesOf?: readonly RegExp[];
}

/** Modules of functions, from the bottom up. Those of one line do not import each other. */
const KERNEL = /^functions\/kernel\//;
const CONTRACT = /^functions\/contract\//;
const INSPECTION = /^functions\/inspection\//;
const TRANSLATION = /^functions\/translation\//;
const CONTROL = /^functions\/control\//;
const PIPELINE = /^functions\/pipeline\//;
const REPLAY = /^functions\/replay\//;
const ADAPTERS = /^functions\/adapters\//;
const SERVER = /^functions\/server\//;

const NODE = /^node:/;
const ZOD = /^zod$/;
const PURE_NODE = /^node:(?:crypto|net|zlib)$/;
const ENV = /^functions\/[^/]+\/env\.ts$/;
/** The version. */
const PACKAGE = /^package\.json$/;
/** Tables, which stacks make and functions use. */
const TABLES = /^functions\/adapters\/dynamo\/tables\.ts$/;
/** Names of metrics and kinds of threat, which alarms and dashboards share with what emits them, and errors that name a faulty setting. */
const VOCABULARY = /^functions\/kernel\/(?:errors|model)\//;

const RULES: readonly ImportRule[] = [
  { folder: KERNEL, files: [KERNEL], packages: [ZOD, /^eventsource-parser$/, PURE_NODE] },
  { folder: CONTRACT, files: [CONTRACT, KERNEL, PACKAGE], packages: [ZOD] },
  {
    folder: /^functions\/inspection\/detectors\//,
    files: [INSPECTION, KERNEL],
    packages: [/^libphonenumber-js\/core$/],
  },
  { folder: INSPECTION, files: [INSPECTION, KERNEL], packages: [ZOD, /^lru-cache$/, PURE_NODE] },
  { folder: TRANSLATION, files: [TRANSLATION, KERNEL], packages: [ZOD, /^lru-cache$/, PURE_NODE] },
  { folder: CONTROL, files: [CONTROL, CONTRACT, KERNEL], packages: [ZOD, /^lru-cache$/, PURE_NODE] },
  {
    folder: PIPELINE,
    files: [PIPELINE, CONTROL, TRANSLATION, INSPECTION, KERNEL],
    packages: [ZOD, /^lru-cache$/, PURE_NODE],
  },
  {
    folder: REPLAY,
    files: [REPLAY, PIPELINE, CONTROL, TRANSLATION, INSPECTION, KERNEL],
    typesOf: [CONTRACT],
    packages: [PURE_NODE],
  },
  {
    folder: ADAPTERS,
    files: [ADAPTERS, PIPELINE, CONTROL, TRANSLATION, INSPECTION, KERNEL],
    packages: [
      /^@aws-lambda-powertools\//,
      /^@aws-sdk\//,
      /^@middy\//,
      /^@smithy\//,
      /^jose$/,
      /^lru-cache$/,
      /^undici(?:\/|$)/,
      /^unpdf\/pdfjs$/,
      /^yauzl$/,
      ZOD,
      NODE,
    ],
  },
  // The HTTP server of several homes composes what the functions compose.
  { folder: SERVER, files: [/^functions\//], packages: [NODE] },
  {
    folder: FUNCTION_FOLDER,
    files: [ADAPTERS, REPLAY, PIPELINE, CONTROL, TRANSLATION, INSPECTION, CONTRACT, KERNEL, PACKAGE],
    packages: [/^@middy\//, /^@aws-lambda-powertools\//, ZOD, NODE],
  },
  // The construct has the stages of cdk.json.
  {
    folder: /^lib\/cdk\//,
    files: [/^lib\/(?:cdk|settings|stacks)\//, /^cdk\.json$/],
    packages: [/^aws-cdk-lib(?:\/|$)/, /^constructs$/, NODE],
  },
  // The local run composes the functions over embedded stores.
  {
    folder: /^lib\/local\//,
    files: [/^lib\//, /^functions\//],
    packages: [/^@aws-sdk\//, /^dynalite$/, /^fauxqs$/, /^level$/, ZOD, NODE],
  },
  {
    folder: /^lib\//,
    files: [/^lib\//, ENV, TABLES, VOCABULARY],
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
    files: [/^bin\//, /^lib\//, /^functions\//, PACKAGE],
    packages: [/^@aws-sdk\//, /^aws-cdk-lib(?:\/|$)/, /^(?:commander|openid-client|yaml)$/, ZOD, NODE],
  },
];

const NAMED_ZOD = /import\s+(?:type\s+)?\{[^}]*\}\s*from\s*['"]zod['"]/;

/** Every import that the table of docs/architecture.md forbids, as a sentence. Files outside the table are not checked. */
export function findForbiddenImports(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const rule = RULES.find(({ folder }) => folder.test(file.path));
    const named = NAMED_ZOD.test(file.source)
      ? [`${file.path}: import zod as 'import * as z', or all of it is bundled`]
      : [];
    const forbidden = importsOf(file)
      .filter((imported) => rule !== undefined && !mayImport(rule, file.path, imported))
      .map(({ target }) => `${file.path}: may not import ${target}`);
    return [...named, ...forbidden];
  });
}

function mayImport(rule: ImportRule, from: string, { target, file, isTypeOnly }: Import): boolean {
  if (file === undefined) return rule.packages.some((allowed) => allowed.test(target));
  if (isTypeOnly && rule.typesOf?.some((allowed) => allowed.test(file))) return true;
  const own = FUNCTION_FOLDER.exec(from)?.[0];
  return (own !== undefined && file.startsWith(own)) || rule.files.some((allowed) => allowed.test(file));
}

/** The folders of a module from the bottom up. A folder imports itself and folders of lower layers of its module. */
const LAYERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  kernel: [
    ['errors', 'tasks', 'crypto', 'configuration', 'words'],
    ['json'],
    ['http'],
    ['model'],
    ['identity'],
    ['teams', 'policies', 'alerts'],
  ],
  inspection: [
    ['pattern-engine'],
    ['views'],
    ['decoding', 'addresses'],
    ['matching'],
    ['classification', 'custom-rules', 'outside'],
    ['inspector', 'policy', 'fusion'],
    ['detectors', 'across-texts', 'report', 'moderation'],
    ['files'],
    ['output'],
    ['input', 'tool-calls', 'tool-definitions'],
    ['tool-policy'],
    ['calls', 'recorded'],
  ],
  translation: [['protocols'], ['routing'], ['providers'], ['mcp']],
  control: [
    ['documents', 'policy', 'audit', 'sessions', 'federation', 'teams'],
    [
      ...['keys', 'limits', 'analytics', 'webhooks', 'idempotency', 'stored-items', 'tool-pins', 'findings'],
      ...['batches', 'approvals', 'override', 'credentials', 'identities'],
    ],
    ['tool-usage', 'rollout', 'spend', 'alerts'],
  ],
};
const INNER_FOLDER = /^functions\/([^/]+)\/([^/]+)\//;

/** Every import between folders of a module that does not go to a lower layer, as a sentence. Imports of types count too. */
export function findLayerViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const [, module = '', from = ''] = INNER_FOLDER.exec(file.path) ?? [];
    const layers = LAYERS[module];
    if (layers === undefined) return [];
    const layerOf = (folder: string) => layers.findIndex((folders) => folders.includes(folder));
    if (layerOf(from) < 0) return [`${file.path}: functions/${module}/${from} has no layer`];
    return filesImportedBy(file).flatMap((target) => {
      const [, toModule, to = ''] = INNER_FOLDER.exec(target) ?? [];
      const isAllowed = toModule !== module || to === from || (layerOf(to) >= 0 && layerOf(to) < layerOf(from));
      return isAllowed ? [] : [`${file.path}: may not import ${target}, which is not in a lower layer`];
    });
  });
}

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
