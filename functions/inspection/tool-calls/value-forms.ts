import { fold } from './folded.ts';
import type { ValueKind } from './value-kinds.ts';

/** All forms under which a value is looked for, folded. The first is the value itself. */
export function formsOf(text: string, kind: ValueKind): string[] {
  const value = text.trim();
  const forms = new Set([fold(value).trim()]);
  if (kind === 'url') forms.add(urlForm(value));
  if (kind === 'account' || kind === 'phone') for (const form of groupedForms(value)) forms.add(form);
  if (kind === 'number') for (const form of numberForms(value)) forms.add(form);
  if (kind === 'date') for (const form of dateForms(value)) forms.add(form);
  if (/^[#@]/.test(value)) forms.add(fold(value.slice(1)));
  return [...forms].filter((form) => form !== '');
}

/** An address without scheme, "www." and what ends a sentence. */
function urlForm(url: string): string {
  const folded = fold(url);
  const scheme = folded.indexOf('://');
  const address = scheme < 0 ? folded : folded.slice(scheme + 3);
  let end = address.length;
  while (end > 0 && '/?#.,;:!)'.includes(address.charAt(end - 1))) end--;
  return address.slice(address.startsWith('www.') ? 4 : 0, end);
}

function groupedForms(value: string): string[] {
  const bare = fold(value).replace(/[ ()./-]/g, '');
  return [bare, (bare.match(/.{1,4}/g) ?? []).join(' ')];
}

/** 1200 is written 1200, 1200.00, 1,200.00, 1.200 and so on. */
function numberForms(value: string): string[] {
  const bare = value.replace(/[^\d.,-]/g, '');
  const n = parseAmount(bare);
  if (!Number.isFinite(n)) return [bare];
  const [whole = '', decimals = ''] = n.toFixed(2).split('.');
  const short = decimals.endsWith('0') ? decimals.slice(0, Number(decimals) === 0 ? 0 : 1) : decimals;
  const styles = NUMBER_STYLES.flatMap(([group, point]) => {
    const grouped = groupThousands(whole, group);
    return [`${grouped}${point}${decimals}`, short === '' ? grouped : `${grouped}${point}${short}`];
  });
  return [bare, String(n), ...styles];
}
/** What separates thousands, and decimals. */
const NUMBER_STYLES = [
  ['', '.'],
  ['', ','],
  [',', '.'],
  ['.', ','],
  [' ', ','],
  ["'", '.'],
] as const;

function groupThousands(digits: string, separator: string): string {
  let grouped = digits.slice(-3);
  for (let end = digits.length - 3; end > 0; end -= 3)
    grouped = `${digits.slice(Math.max(0, end - 3), end)}${digits.charAt(end - 1) === '-' ? '' : separator}${grouped}`;
  return grouped;
}

/** "1.234,50", "1,234.50", "1234.5" as a number; NaN if it is none. */
export function parseAmount(text: string): number {
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  const decimals = text.length - last - 1;
  const isDecimal =
    last >= 0 && (decimals !== 3 || text.indexOf(text.charAt(last)) !== last ? decimals > 0 && decimals < 3 : false);
  const whole = (isDecimal ? text.slice(0, last) : text).replace(/[.,]/g, '');
  return Number(isDecimal ? `${whole}.${text.slice(last + 1)}` : whole);
}

function dateForms(value: string): string[] {
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2}))?/.exec(value);
  if (iso === null) return [];
  const [, year, month, day, hour, minute] = iso as unknown as string[];
  const d = String(Number(day));
  const m = String(Number(month));
  const forms = [
    `${year}-${month}-${day}`,
    `${day}.${month}.`,
    `${d}.${m}.`,
    `${day}/${month}`,
    `${d}/${m}`,
    `${month}/${day}`,
    `${m}月${d}日`,
    `${d} ${MONTHS[Number(month)]}`,
    `${MONTHS[Number(month)]} ${d}`,
  ];
  if (hour !== undefined && `${hour}:${minute}` !== '00:00') forms.push(`${hour}:${minute}`);
  return forms;
}
const MONTHS = [
  '',
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
