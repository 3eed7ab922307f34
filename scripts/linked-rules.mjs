const FILE = 'linked-rules';

/**
 * Links the built-in rules while a bundle is made, and lays them beside the code as bytes: linking them would take a sixth of a
 * cold start. What runs from sources links them when it first inspects a text.
 * @type {import('esbuild').Plugin}
 */
export const linkedRules = {
  name: 'linked-rules',
  setup(build) {
    let views;
    build.onLoad({ filter: /[\\/]detectors[\\/]prepared-rules\.ts$/, namespace: 'file' }, async () => {
      const [{ linkRules }, { INSPECTED_RULES }] = await Promise.all([
        import('../functions/core/inspect/rule-library.ts'),
        import('../functions/detectors/index.ts'),
      ]);
      views = Object.entries(linkRules(INSPECTED_RULES));
      let at = 0;
      const parts = views.map(([view, { ids, packed }]) => {
        const from = at;
        at += packed.length;
        return `${view}: { ids: ${JSON.stringify(ids)}, packed: bytes.subarray(${from}, ${at}) }`;
      });
      return {
        contents: `import { readFileSync } from 'node:fs';
          import name from '${FILE}';
          const bytes = readFileSync(new URL(name, import.meta.url));
          export const PREPARED_RULES = { linked: { ${parts.join(', ')} } };`,
      };
    });
    build.onResolve({ filter: new RegExp(`^${FILE}$`) }, () => ({ path: `${FILE}.bin`, namespace: FILE }));
    build.onLoad({ filter: /.*/, namespace: FILE }, () => ({
      contents: Buffer.concat(views.map(([, { packed }]) => packed)),
      loader: 'file',
    }));
  },
};
