import type { LinearModel } from '../../functions/inspection/classification/index.ts';
import { readWordClasses } from '../../functions/inspection/detectors/classifier/classifier.ts';
import { evidenceOf } from '../../functions/inspection/tool-calls/call-evidence.ts';
import { fold } from '../../functions/inspection/tool-calls/folded.ts';
import {
  masked,
  type TextModels,
  textModels,
  toOrdersText,
} from '../../functions/inspection/tool-calls/text-models.ts';
import { hasEffect } from '../../functions/inspection/tool-calls/tool-meaning.ts';
import { type Example, quantised, type TrainOptions, train } from '../linear-model.ts';
import { type Regression, type Row, regress } from './logistic-regression.ts';
import type { Case, CaseKind } from './scenes.ts';
import wordings from './wordings.json' with { type: 'json' };

/** What a case counts in the regression; those without a number are measured only. A scene has three to five rewrites. */
const COUNTS: Readonly<Partial<Record<CaseKind, number>>> = {
  task: 2.5,
  resisted: 2,
  past: 1,
  asked: 1,
  lookup: 5,
  delegated: 0.2,
  attack: 2.8,
  rewrite: 1.4,
};
const ATTACKS: ReadonlySet<CaseKind> = new Set(['attack', 'rewrite']);
/** The least that standardised weights of two features of the same meaning differ: the ridge of the regression. */
const RIDGE = 8;
const TEXTS: TrainOptions = { buckets: 1 << 16, runs: 2, epochs: 6, rate: 0.2, decay: 1e-3 };

/** What is trained: two scores of texts, and what each number of the evidence is worth. */
export interface Fitted {
  readonly orders: LinearModel;
  readonly defers: LinearModel;
  readonly regression: Regression;
}

const classes = readWordClasses();

/** Trains on cases. */
export function fit(cases: readonly Case[]): Fitted {
  return { ...trainTexts(cases), regression: regress(rowsOf(cases), RIDGE) };
}

/** What the regression learns from: calls that are scored. The scores of texts are of models that did not see the text's author. */
export function rowsOf(cases: readonly Case[]): Row[] {
  const authors = [...new Set(cases.map(({ author }) => author))];
  return authors.flatMap((author) => {
    const models = modelsOf(trainTexts(cases.filter((one) => one.author !== author)));
    return cases
      .filter((one) => one.author === author && COUNTS[one.kind] !== undefined && isScored(one))
      .map(({ conversation, call, kind }) => {
        const { features } = evidenceOf(conversation, call, models);
        return { features, isAttack: ATTACKS.has(kind), weight: COUNTS[kind] as number };
      });
  });
}

/** Whether the call of a case is scored: those that only read are not. */
export function isScored({ conversation, call }: Case): boolean {
  return hasEffect(conversation.tool(call.tool).meaning);
}

export function modelsOf({ orders, defers }: Pick<Fitted, 'orders' | 'defers'>): TextModels {
  return textModels({ orders, defers }, classes);
}

export function trainTexts(cases: readonly Case[]): Pick<Fitted, 'orders' | 'defers'> {
  const orders: Example[] = [];
  const defers: Example[] = [];
  const unscored = { orders: () => 0, defers: () => 0 };
  for (const { kind, slots, conversation, call } of cases) {
    const attack = ATTACKS.has(kind);
    if (attack || kind === 'lookup') {
      for (const slot of slots) orders.push({ text: fold(slot), attack, weight: 1 });
      const { passage } = evidenceOf(conversation, call, unscored);
      if (passage !== undefined) orders.push({ text: passage.text, attack, weight: 0.5 });
    }
    if (kind === 'task' || kind === 'past') {
      const { passage } = evidenceOf(conversation, call, unscored);
      if (passage !== undefined) orders.push({ text: passage.text, attack: false, weight: 1 });
      for (const source of kind === 'task' ? conversation.sources : [])
        for (const { folded } of conversation.read(source).prose.parts)
          orders.push({ text: folded.slice(0, 500), attack: false, weight: 0.5 });
    }
    if (kind === 'lookup' || kind === 'delegated') defers.push({ text: conversation.latest, attack: true, weight: 1 });
    if (kind === 'task' || kind === 'asked') defers.push({ text: conversation.latest, attack: false, weight: 1 });
  }
  const add = (to: Example[], texts: Readonly<Record<string, readonly string[]>>, attack: boolean) =>
    to.push(...Object.values(texts).flatMap((some) => some.map((text) => ({ text: fold(text), attack, weight: 1 }))));
  add(defers, wordings.defers, true);
  add(defers, wordings.plain, false);
  add(orders, wordings.orders, true);
  add(orders, wordings.informs, false);
  return { orders: trained(orders, toOrdersText), defers: trained(defers, masked) };
}

function trained(examples: readonly Example[], toText: (folded: string) => string): LinearModel {
  const { weights, bias } = train(
    examples.map((one) => ({ ...one, text: toText(one.text) })),
    TEXTS,
  );
  const { packed, scale } = quantised(weights);
  return { weights: packed, scale, bias };
}
