import type { Steps } from '../../kernel/tasks/index.ts';
import type { Resolved } from './decode-text.ts';

const DECLARATION = /<!ENTITY\s+([^\s%"'<>&;]+)\s+(?:"([^"]*)"|'([^']*)')\s*>/gi;
const REFERENCE = /&(?:#(\d+)|#x([0-9a-f]+)|([^\s#&;<>"']+));/gi;
const NUMBER = /&#(?:(\d+)|x([0-9a-f]+));/gi;
const SECTION = /<!\[CDATA\[|\]\]>/g;
const PREDEFINED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
/** Entities in entities: real documents nest two or three. */
const MAX_DEPTH = 16;
const MAX_VALUE = 64 * 1024;
/** The most characters of all expanded entities ("billion laughs"). */
const MAX_EXPANDED = 1024 * 1024;
/** These declarations or references take about a millisecond. */
const STEP_MATCHES = 1_024;
const TOO_MUCH = 'XML entities that expand too far';

/** Whether an XML document declares entities. */
export function hasEntities(text: string): boolean {
  return /<!ENTITY\s/i.test(text);
}

/**
 * The document with its internal entities expanded, as an XML parser does (https://www.w3.org/TR/xml/#sec-entexpand), and its CDATA
 * sections joined. Outside entities are not fetched.
 */
export function* textWithEntities(text: string): Steps<Resolved> {
  const entities = new Entities();
  let count = 0;
  for (const [, name = '', double, single] of text.matchAll(DECLARATION)) {
    entities.declare(name, double ?? single ?? '');
    count += 1;
    if (count % STEP_MATCHES === 0) yield;
  }
  const body = text.replace(DECLARATION, '').replace(SECTION, '');
  yield;
  const shown: string[] = [];
  let end = 0;
  for (const match of body.matchAll(REFERENCE)) {
    const [whole, decimal, hex, name] = match;
    shown.push(body.slice(end, match.index), entities.valueOf(whole, decimal, hex, name, 0));
    end = match.index + whole.length;
    count += 1;
    if (count % STEP_MATCHES === 0) yield;
  }
  shown.push(body.slice(end));
  const { unread } = entities;
  return { text: shown.join(''), ...(unread !== undefined && { unread }) };
}

class Entities {
  unread: string | undefined;
  private readonly declared = new Map<string, string>();
  private readonly expanded = new Map<string, string>();
  private left = MAX_EXPANDED;

  declare(name: string, literal: string): void {
    if (literal.length > MAX_VALUE) this.unread = TOO_MUCH;
    const value = literal.slice(0, MAX_VALUE).replace(NUMBER, toCharacter);
    const before = this.declared.get(name);
    // The first declaration counts; a parser that takes another one shows another text.
    if (before === undefined) this.declared.set(name, value);
    else if (before !== value) this.unread ??= 'XML entities with two values';
  }

  /** The text that replaces a reference. */
  valueOf(whole: string, decimal?: string, hex?: string, name?: string, depth = 0): string {
    if (name === undefined) return toCharacter(whole, decimal, hex);
    const value = this.declared.get(name);
    if (value === undefined) return PREDEFINED[name] ?? whole;
    const expanded = this.expanded.get(name) ?? this.expand(name, value, depth);
    this.left -= expanded.length;
    if (this.left >= 0) return expanded;
    this.unread = TOO_MUCH;
    return '';
  }

  private expand(name: string, value: string, depth: number): string {
    if (depth >= MAX_DEPTH) {
      this.unread = TOO_MUCH;
      return '';
    }
    const expanded = value.replace(REFERENCE, (whole, decimal?: string, hex?: string, inner?: string) =>
      this.valueOf(whole, decimal, hex, inner, depth + 1),
    );
    this.expanded.set(name, expanded);
    return expanded;
  }
}

function toCharacter(whole: string, decimal?: string, hex?: string): string {
  const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
}
