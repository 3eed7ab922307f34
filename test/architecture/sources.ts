import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SOURCE = /\.(?:tsx?|mjs)$/;
/** Tests, and files that only they import, are beside the code. */
const NOT_SHIPPED = /\.(?:test|fixture|examples|cases)\.ts$/;
const IMPORT = /(?:^|[\n;])\s*(?:import|export)\s(?:[^'";]*?\sfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

/** Folders of product code; its tests are beside it. */
export const PRODUCT_FOLDERS = ['functions', 'lib', 'bin', 'dashboard', 'container'] as const;

/** The folder of one Lambda function. */
export const FUNCTION_FOLDER =
  /^functions\/(?!kernel|contract|inspection|translation|control|pipeline|replay|adapters|server)[^/]+\//;

export interface SourceFile {
  /** From the repository's root, with `/`. */
  readonly path: string;
  readonly source: string;
}

/** An import or a re-export. */
export interface Import {
  /** As written: a package, or a relative path. */
  readonly target: string;
  /** The file in the repository; undefined for a package. */
  readonly file: string | undefined;
  /** As exported; `*` is the whole file. */
  readonly names: readonly string[];
  /** The statement imports types alone. */
  readonly isTypeOnly: boolean;
}

/** The source files of folders of the repository, with their tests. */
export function sourcesIn(folders: readonly string[]): SourceFile[] {
  return folders.flatMap((folder) =>
    // Another suite may be installing packages below test/ meanwhile.
    globSync(`${folder}/**`, { cwd: ROOT, exclude: ['**/node_modules'] })
      .map((name) => name.replaceAll(path.sep, '/'))
      .filter((name) => SOURCE.test(name))
      .map((name) => ({ path: name, source: readFileSync(path.join(ROOT, name), 'utf8') })),
  );
}

/** The source files of the product, without tests. */
export function shippedSources(): SourceFile[] {
  return sourcesIn(PRODUCT_FOLDERS).filter(isShipped);
}

function isShipped(file: Pick<SourceFile, 'path'>): boolean {
  return !NOT_SHIPPED.test(file.path);
}

/** The imports and re-exports of a file, of types too. */
export function importsOf({ path: from, source }: SourceFile): Import[] {
  return [...source.matchAll(IMPORT)].map(([statement, clauseTarget, calledTarget]) => {
    const target = (clauseTarget ?? calledTarget) as string;
    const names = /\{([^}]*)\}/
      .exec(statement)?.[1]
      ?.split(',')
      .map((name) => name.replace(/^\s*type\s+|\sas\s.*$/gs, '').trim())
      .filter((name) => name !== '');
    return {
      target,
      file: target.startsWith('.') ? path.posix.join(path.posix.dirname(from), target) : undefined,
      names: names ?? ['*'],
      isTypeOnly: /^[\n;\s]*(?:import|export)\s+type\s/.test(statement),
    };
  });
}

/** The files of the repository that a file imports. */
export function filesImportedBy(file: SourceFile): string[] {
  return importsOf(file).flatMap(({ file: target }) => target ?? []);
}
