/**
 * Trains what scores tool calls on the scenes of training/data/tool-calls: npm run generate tool-calls
 * Writes functions/inspection/tool-calls/*.generated.json; the same on every machine.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { packWeights } from '../functions/inspection/classification/linear-classifier.ts';
import { fit } from './tool-calls/fit.ts';
import { readCases } from './tool-calls/scenes.ts';

const FOLDER = path.resolve(import.meta.dirname, '../functions/inspection/tool-calls');

const { orders, defers, regression } = fit(readCases());
for (const [name, { weights, scale, bias }] of Object.entries({ orders, defers }))
  write(name, { buckets: weights.length, scale, bias, sets: ['tool-calls'], weights: packWeights(weights) });
write('call-weights', regression, (value) => (typeof value === 'number' ? Number(value.toFixed(3)) : value));

function write(name: string, value: object, round?: (value: unknown) => unknown): void {
  const json = JSON.stringify(value, round && ((_, member) => round(member)), 1);
  writeFileSync(path.join(FOLDER, `${name}.generated.json`), `${json}\n`);
}
