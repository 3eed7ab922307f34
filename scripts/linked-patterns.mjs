import { existsSync } from 'node:fs';
import path from 'node:path';
import { build as bundle } from 'esbuild';

const FUNCTIONS = path.resolve(import.meta.dirname, '../functions');
const BYTES = 'linked-patterns-of:';
/** What is linked: a module that exports it compiled, and code that gives what a bundle has in the place of that export. */
const LINKED = [
  {
    name: 'rules',
    module: path.join(FUNCTIONS, 'detectors/prepared-rules.ts'),
    exported: 'PREPARED_RULES',
    linked: `import { linkRules } from './core/inspect/rules/rule-library.ts';
      import { INSPECTED_RULES } from './detectors/index.ts';
      export default { linked: linkRules(INSPECTED_RULES) };`,
  },
  {
    name: 'encodings',
    module: path.join(FUNCTIONS, 'core/inspect/decoding/prepared-encodings.ts'),
    exported: 'PREPARED_ENCODINGS',
    linked: `import { linkEncodings } from './core/inspect/decoding/payloads.ts';
      export default linkEncodings();`,
  },
];

/**
 * Links the engine's own patterns while a bundle is made, and puts them beside the code as bytes: linking them at the start takes 7 %
 * more of the gateway's init, and 4 % more until its first response. From sources they are linked at the first inspection.
 * @type {import('esbuild').Plugin}
 */
export const linkedPatterns = {
  name: 'linked-patterns',
  setup(build) {
    const bytesOf = new Map();
    for (const { name, module, exported, linked } of LINKED) {
      if (!existsSync(module)) throw new Error(`${module} is not there to be linked: a bundle would start slowly`);
      build.onLoad({ filter: /[\\/]prepared-\w+\.ts$/, namespace: 'file' }, async ({ path: file }) => {
        if (file !== module) return undefined;
        const { code, bytes } = withBytesBeside(await run(linked));
        bytesOf.set(name, bytes);
        return {
          contents: `import { readFileSync } from 'node:fs';
            import file from '${BYTES}${name}';
            let read;
            const bytes = () => (read ??= readFileSync(new URL(file, import.meta.url)));
            export const ${exported} = ${code};`,
        };
      });
    }
    build.onResolve({ filter: new RegExp(`^${BYTES}`) }, ({ path }) => ({
      path: `linked-${path.slice(BYTES.length)}.bin`,
      pluginData: path.slice(BYTES.length),
      namespace: BYTES,
    }));
    build.onLoad({ filter: /.*/, namespace: BYTES }, ({ pluginData: name }) => ({
      contents: bytesOf.get(name),
      loader: 'file',
    }));
  },
};

/** What a module in the folder of the functions exports: from their sources as they are now, on any Node that builds. */
async function run(module) {
  const { outputFiles } = await bundle({
    stdin: { contents: module, resolveDir: FUNCTIONS },
    ...{ bundle: true, write: false, platform: 'node', format: 'esm', mainFields: ['module', 'main'] },
  });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  return (await import(`data:text/javascript;base64,${code}`)).default;
}

/** An object as code in which its arrays of bytes are parts of what `bytes()` gives, and which asks for that when one is needed. */
function withBytesBeside(value) {
  const parts = [];
  let end = 0;
  const fieldOf = ([name, one]) => {
    if (!(one instanceof Uint8Array)) return `${name}: ${codeOf(one)}`;
    parts.push(one);
    end += one.length;
    return `get ${name}() { return bytes().subarray(${end - one.length}, ${end}); }`;
  };
  const codeOf = (one) =>
    typeof one === 'object' ? `{ ${Object.entries(one).map(fieldOf).join(', ')} }` : JSON.stringify(one);
  const code = codeOf(value);
  return { code, bytes: Buffer.concat(parts) };
}
