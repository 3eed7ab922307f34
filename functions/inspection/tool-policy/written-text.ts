import { asksOrRefuses } from '../../kernel/words/index.ts';
import type { CallWords, EarlierValues } from '../tool-calls/index.ts';
import type { ComparedValue } from './compared-value.ts';
import { type ResultFields, readFieldSource } from './result-fields.ts';
import { SaidText } from './said-text.ts';

/** What the user wrote. A value that a third party had before stays theirs in a message that asks or refuses, or that may be a client's summary, stays theirs. */
export class WrittenText {
  private readonly typed = new SaidText();
  private readonly summaries = new SaidText();
  private readonly unadopted: { readonly said: SaidText; readonly before: number }[] = [];
  private readonly words: CallWords;
  private readonly others: OthersTexts;

  constructor(words: CallWords, others: OthersTexts) {
    this.words = words;
    this.others = others;
  }

  add(text: string): void {
    if (asksOrRefuses(text)) {
      const said = new SaidText();
      said.add(text);
      this.unadopted.push({ said, before: this.others.count });
    } else if (this.words.mayBeSummary(text)) this.summaries.add(text);
    else this.adopt(text);
  }

  /** Adds a text whose values are the user's, also where a third party had them first. */
  adopt(text: string): void {
    this.typed.add(text);
  }

  has(value: ComparedValue): boolean {
    const { others } = this;
    return (
      this.typed.has(value) ||
      (this.summaries.has(value) && !others.hadEarlier(value)) ||
      this.unadopted.some(
        ({ said, before }) => said.has(value) && !others.hadEarlier(value) && !others.hadBefore(value, before),
      )
    );
  }
}

/** What the operator wrote. A client may put notes of earlier turns there, so a value that the session first had from a third party stays theirs. */
export class SystemText {
  private readonly said = new SaidText();
  private readonly others: OthersTexts;

  constructor(others: OthersTexts) {
    this.others = others;
  }

  add(text: string): void {
    this.said.add(text);
  }

  has(value: ComparedValue): boolean {
    return this.said.has(value) && !this.others.hadEarlier(value);
  }
}

/** What the texts instead of held calls begin with. Their values are those of the calls. */
const HELD_CALL = '[The call of ';
const ALL_FIELDS = readFieldSource('*.**');

/** What the user and the operator did not write: texts of third parties, and values of held calls. */
export class OthersTexts {
  private readonly texts: { readonly text: string; readonly isHeldCall: boolean }[] = [];
  private readonly fields: ResultFields;
  private readonly words: CallWords;
  private readonly earlier: EarlierValues | undefined;

  /** @param earlier what the session first had from third parties; undefined if that is not known */
  constructor(fields: ResultFields, words: CallWords, earlier: EarlierValues | undefined) {
    this.fields = fields;
    this.words = words;
    this.earlier = earlier;
  }

  get count(): number {
    return this.texts.length;
  }

  add(text: string): void {
    this.texts.push({ text, isHeldCall: false });
  }

  addAssistant(text: string): void {
    const at = text.indexOf(HELD_CALL);
    if (at >= 0) this.texts.push({ text: text.slice(at), isHeldCall: true });
  }

  /** Whether the session first had a value from a third party. */
  hadEarlier(value: ComparedValue): boolean {
    const { earlier } = this;
    return earlier !== undefined && this.words.rememberedAs(value.forms[0] as string).some((text) => earlier.has(text));
  }

  /** Whether a held call, or one of the first texts outside of whole fields, has a value. */
  hadBefore(value: ComparedValue, count: number): boolean {
    const having = this.texts.slice(0, count).filter(({ text }) => hasValue(text, value));
    if (having.length === 0) return false;
    const fields = this.fields.keysOf(ALL_FIELDS);
    return having.some(({ isHeldCall }) => isHeldCall) || !value.keys.some((key) => fields.has(key));
  }
}

function hasValue(text: string, value: ComparedValue): boolean {
  const said = new SaidText();
  said.add(text);
  return said.has(value);
}
