import type { View } from '../rule.ts';
import type { PositionMap } from './position-map.ts';
import { TextView } from './text-view.ts';

interface Shown {
  readonly view: TextView;
  /** What it shows of the piece; undefined until somebody asks. */
  text: string | undefined;
}

/** A text that arrives in pieces as its readers see it: each view is made once for all that read it. */
export class TextViews {
  private readonly views = new Map<View, Shown>();
  private piece = '';
  private last = false;
  private readonly isSecond: boolean;

  /** `isSecond` as a view has it. */
  constructor(isSecond = false) {
    this.isSecond = isSecond;
  }

  /** A whole text. */
  static of(text: string): TextViews {
    const views = new TextViews();
    views.next(text, true);
    return views;
  }

  /** Takes the next piece; `last` is the end of the text. Whoever reads a view asks for each piece of it. */
  next(piece: string, last: boolean): void {
    this.piece = piece;
    this.last = last;
    for (const shown of this.views.values()) shown.text = undefined;
  }

  /** What a view shows of the piece. */
  shown(view: View): string {
    const shown = this.of(view);
    shown.text ??= shown.view.push(this.piece) + (this.last ? shown.view.end() : '');
    return shown.text;
  }

  /** Where what a view has shown stands in the raw text. */
  positions(view: View): PositionMap {
    return this.of(view).view.positions;
  }

  private of(view: View): Shown {
    let shown = this.views.get(view);
    if (shown === undefined) {
      shown = { view: new TextView(view, this.isSecond), text: undefined };
      this.views.set(view, shown);
    }
    return shown;
  }
}
