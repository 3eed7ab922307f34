const BASE = 36;
const SKEW = 38;
const DAMP = 700;
const T_MAX = 26;

/** A label of a domain name in the letters that it stands for (RFC 3492); as given where it is no `xn--` or a broken one. */
export function decodePunycode(label: string): string {
  if (!label.startsWith('xn--')) return label;
  const encoded = label.slice(4);
  const basic = Math.max(0, encoded.lastIndexOf('-'));
  const output = [...encoded.slice(0, basic)];
  let [code, index, bias] = [128, 0, 72];
  for (let at = basic > 0 ? basic + 1 : 0; at < encoded.length; ) {
    const before = index;
    for (let weight = 1, step = BASE; ; step += BASE) {
      const digit = digitOf(encoded.charCodeAt(at++));
      if (digit === undefined || index > 0xff_ffff) return label;
      index += digit * weight;
      const threshold = step <= bias ? 1 : Math.min(T_MAX, step - bias);
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    bias = adapt(index - before, output.length + 1, before === 0);
    code += Math.floor(index / (output.length + 1));
    index %= output.length + 1;
    if (code > 0x10_ffff) return label;
    output.splice(index++, 0, String.fromCodePoint(code));
  }
  return output.join('');
}

function digitOf(unit: number): number | undefined {
  if (unit >= 48 && unit <= 57) return unit - 22;
  return unit >= 97 && unit <= 122 ? unit - 97 : undefined;
}

function adapt(delta: number, points: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2));
  rest += Math.floor(rest / points);
  let bias = 0;
  for (; rest > ((BASE - 1) * T_MAX) / 2; bias += BASE) rest = Math.floor(rest / (BASE - 1));
  return bias + Math.floor(((BASE - 1 + 1) * rest) / (rest + SKEW));
}
