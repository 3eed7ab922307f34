import type { RuleExamples } from '../../matching/index.ts';

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';

/** Alphabets of `{w40}` and the like in a template, by letter. */
const ALPHABETS: Readonly<Record<string, string>> = {
  w: DIGITS + UPPER + LOWER,
  s: `${DIGITS}${UPPER}${LOWER}_-`,
  a: UPPER + LOWER,
  l: DIGITS + LOWER,
  u: DIGITS + UPPER,
  d: DIGITS,
  h: `${DIGITS}abcdef`,
  b: `${UPPER}234567`,
  q: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
};

/** A reproducible source of numbers from 0 up to 1. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** The template with each `{letter count}` replaced by that many random characters: `{h32}` is 32 hexadecimal digits. */
export function fill(template: string, random: () => number): string {
  return template.replace(/\{([a-z])(\d+)\}/g, (_, letter: string, count: string) => {
    const alphabet = ALPHABETS[letter] ?? '';
    return Array.from({ length: Number(count) }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join(
      '',
    );
  });
}

/** Forms of tokens by rule; tokens are made on demand, so that no scanner finds one here. */
export type TokenTemplates = Readonly<Record<string, readonly string[]>>;

/** A token of each form, with what it must not be mistaken for: the same with its end crossed out. */
export function vendorExamples(templates: TokenTemplates): Readonly<Record<string, RuleExamples>> {
  const rules = Object.entries(templates).map(([thing, forms]): [string, RuleExamples] => {
    const tokens = forms.map((form) => fill(form, seeded(form.length * 7919)));
    return [
      `secrets/${thing}`,
      {
        positives: tokens.map((token) => `use ${token} here`),
        negatives: tokens.map((token) => ({ text: `use ${crossedOut(token)} here`, reason: 'a placeholder' })),
      },
    ];
  });
  return Object.fromEntries(rules);
}

export function crossedOut(token: string): string {
  return token.slice(0, -14) + token.slice(-14).replace(/[A-Za-z0-9]/g, 'x');
}
