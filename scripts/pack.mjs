/**
 * npm run pack: packs the built service. Writes dist/NAME-VERSION.tgz, which needs only Node: all code is bundled; beside it the list of
 * the bundled packages (CycloneDX), and SHA256SUMS of both.
 */
import './check-node.mjs';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { MINIMUM_NODE } from '../bin/minimum-node.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');
const DIST = path.join(ROOT, 'dist');
/** The package's content, placed as in the repository. */
const FOLDER = path.join(DIST, 'package');
const ALWAYS = ['README.md', 'CHANGELOG.md', 'LICENSE'];
const LICENSES = 'dist/local/licenses.txt';

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
const { name, version, description, license, type, bin, files, devDependencies } = readJson(
  path.join(ROOT, 'package.json'),
);

execFileSync(process.execPath, ['scripts/build.mjs', 'local', 'functions', 'cdk'], { cwd: ROOT, stdio: 'inherit' });
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
for (const file of [...ALWAYS, ...globSync(files, { cwd: ROOT })])
  cpSync(path.join(ROOT, file), path.join(FOLDER, file), { recursive: true });
cpSync(path.join(ROOT, 'lib/cdk/index.d.mts'), path.join(FOLDER, 'dist/cdk/index.d.mts'));
/** Of the construct. An app that deploys it has them; nothing else needs them. */
const peers = ['aws-cdk-lib', 'constructs'];
const manifest = {
  ...{ name, version, description, license, type, engines: { node: `>=${MINIMUM_NODE}` }, bin, files },
  exports: { './cdk': { types: './dist/cdk/index.d.mts', default: './dist/cdk/index.mjs' } },
  peerDependencies: Object.fromEntries(peers.map((peer) => [peer, `^${devDependencies[peer]}`])),
  peerDependenciesMeta: Object.fromEntries(peers.map((peer) => [peer, { optional: true }])),
};
writeFileSync(path.join(FOLDER, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
const bundled = bundledPackages();
writeFileSync(path.join(FOLDER, LICENSES), licensesOf(bundled));
const packing = ['pack', '--ignore-scripts', '--silent', '--pack-destination', DIST];
const tarball = execFileSync('npm', packing, { cwd: FOLDER, encoding: 'utf8', shell: process.platform === 'win32' });
const packed = path.join(DIST, tarball.trim());
const bill = packed.replace(/\.tgz$/, '.cdx.json');
writeFileSync(bill, `${JSON.stringify(billOf(bundled), undefined, 2)}\n`);
const sums = [packed, bill].map((file) => {
  const sum = createHash('sha256').update(readFileSync(file)).digest('hex');
  return `${sum}  ${path.basename(file)}\n`;
});
writeFileSync(path.join(DIST, 'SHA256SUMS'), sums.join(''));
console.log(`${path.relative(ROOT, packed)}: ${(statSync(packed).size / 1e6).toFixed(1)} MB`);

/** The folders of the packages whose code the service's bundle contains, from its source maps. */
function bundledPackages() {
  const sources = globSync(path.join(DIST, 'maps/*/*.map')).flatMap((map) =>
    readJson(map).sources.map((source) => path.resolve(DIST, path.basename(path.dirname(map)), source)),
  );
  const folders = sources.map((source) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(source)?.[0]);
  return [...new Set(folders)].filter((folder) => folder !== undefined).sort();
}

/** Their licences, which ask to be copied with the code. */
function licensesOf(folders) {
  const texts = folders.map((folder) => {
    const { name, version, license } = readJson(path.join(folder, 'package.json'));
    const names = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice)/i.test(file));
    const text = names.map((file) => readFileSync(path.join(folder, file), 'utf8').trim()).join('\n\n');
    return `${name} ${version}: ${license}\n\n${text}`.trim();
  });
  return `The service contains code of these packages.\n\n${texts.join(`\n\n${'-'.repeat(72)}\n\n`)}\n`;
}

/** npm's bill of materials of the lockfile, with the packages alone whose code is bundled: in the service, or in the dashboard's files. */
function billOf(folders) {
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
  const options = { cwd: ROOT, encoding: 'utf8', shell: process.platform === 'win32', maxBuffer: 64 * 1024 * 1024 };
  const all = JSON.parse(execFileSync('npm', args, options));
  const inService = folders.map((folder) => readJson(path.join(folder, 'package.json')));
  const inPage = readFileSync(path.join(FOLDER, 'dist/dashboard/licenses.txt'), 'utf8').matchAll(
    /^## (\S+) - (\S+) /gm,
  );
  const names = new Set([
    ...inService.map((one) => `${one.name}@${one.version}`),
    ...Array.from(inPage, ([, name, version]) => `${name}@${version}`),
  ]);
  const components = all.components
    .filter((one) => names.has(`${one.name}@${one.version}`))
    // npm calls those that it installs for development optional; here all are part of the product.
    .map(({ scope: _, properties: __, ...one }) => ({ ...one, scope: 'required' }));
  const found = new Set(components.map((one) => `${one.name}@${one.version}`));
  const missing = [...names].filter((name) => !found.has(name));
  if (missing.length > 0) throw new Error(`The lockfile lacks bundled packages: ${missing.join(', ')}`);
  const refs = new Set(components.map((one) => one['bom-ref']));
  const root = all.metadata.component['bom-ref'];
  const dependencies = all.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
  return { ...all, components, dependencies: [{ ref: root, dependsOn: [...refs] }, ...dependencies] };
}
