import { TagReader } from './tag-reader.ts';

const LETTER = /[a-z]/i;
const START_TAG = /<(?=[a-z])/gi;

/**
 * Reads every start tag, also in comments, texts and values: Markdown and HTML disagree about what these are. `<!--` in a code block hides no
 * tag from a browser, and a tag in a comment hides none behind it.
 */
export class AnyTagReader {
  private readonly tags = new TagReader();
  /** The last two characters. */
  private last = '';

  read(text: string): void {
    if (this.last.endsWith('<') && LETTER.test(text[0] ?? '')) this.tags.restart(this.last.startsWith('`'));
    let from = 0;
    for (const { index } of text.matchAll(START_TAG)) {
      this.tags.read(text.slice(from, index));
      this.tags.restart((index === 0 ? this.last.at(-1) : text[index - 1]) === '`');
      from = index + 1;
    }
    this.tags.read(text.slice(from));
    this.last = (this.last + text).slice(-2);
  }

  isInAddress(hasOtherBase: boolean): boolean {
    return this.tags.isInAddress(hasOtherBase);
  }

  get hasOtherBase(): boolean {
    return this.tags.hasOtherBase;
  }
}
