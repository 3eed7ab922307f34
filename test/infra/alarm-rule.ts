/** The states of alarms by the ids of their resources in the template. Others are OK. */
export type AlarmStates = Readonly<Record<string, 'OK' | 'ALARM' | 'INSUFFICIENT_DATA'>>;

const TOKEN = /\s*(AND\b|OR\b|NOT\b|TRUE\b|FALSE\b|[()]|(ALARM|OK|INSUFFICIENT_DATA)\("?([^")]+)"?\))/y;

/**
 * Whether a composite alarm is on: evaluates its `AlarmRule` of a template, in which references to alarms are `Fn::GetAtt`.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutCompositeAlarm.html
 * @throws Error for what the grammar does not have, and for AND beside OR without parentheses
 */
export function isOn(alarmRule: unknown, states: AlarmStates): boolean {
  const rule = textOf(alarmRule);
  TOKEN.lastIndex = 0;
  const next = () => {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(rule);
    if (found === null) throw new Error(`no rule from: ${rule.slice(at)}`);
    return found;
  };
  const term = (): boolean => {
    const [, token, state, alarm = ''] = next();
    if (state !== undefined) return (states[alarm] ?? 'OK') === state;
    if (token === 'NOT') return !term();
    if (token === 'TRUE' || token === 'FALSE') return token === 'TRUE';
    if (token !== '(') throw new Error(`no term: ${token}`);
    return expression(')');
  };
  const expression = (end: ')' | undefined): boolean => {
    let value = term();
    for (let first: string | undefined; ; ) {
      if (end === undefined && TOKEN.lastIndex === rule.length) return value;
      const [, operator = ''] = next();
      if (operator === end) return value;
      first ??= operator;
      if (operator !== first || !['AND', 'OR'].includes(operator)) throw new Error(`no operator: ${operator}`);
      const right = term();
      value = operator === 'AND' ? value && right : value || right;
    }
  };
  return expression(undefined);
}

/** The rule with the ids of resources in place of their ARNs. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const { 'Fn::Join': join, 'Fn::GetAtt': attribute } = value as Readonly<Record<string, [string, unknown[]]>>;
  if (join !== undefined) return join[1].map(textOf).join(join[0]);
  return attribute?.[0] ?? '';
}
