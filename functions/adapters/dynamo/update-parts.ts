import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';

type Amount = number | bigint;

/** Builds one UpdateItem step by step. Conditions and expressions refer to the item before the update. */
export class UpdateParts {
  private readonly sets: string[] = [];
  private readonly adds = new Map<string, Amount>();
  private readonly removes: string[] = [];
  private readonly conditions: string[] = [];
  private readonly names: Record<string, string> = {};
  private readonly values: Record<string, Amount> = {};
  private count = 0;

  /** A placeholder for an attribute's name. */
  name(attribute: string): string {
    const placeholder = `#${attribute}`;
    this.names[placeholder] = attribute;
    return placeholder;
  }

  /** A placeholder for a number. */
  value(amount: Amount): string {
    const placeholder = `:v${this.count}`;
    this.count += 1;
    this.values[placeholder] = amount;
    return placeholder;
  }

  /** Sets `attribute = expression`, where the expression consists of placeholders. */
  set(attribute: string, expression: string): void {
    this.sets.push(`${this.name(attribute)} = ${expression}`);
  }

  /** Adds to an attribute, or to 0 if it is absent; calls accumulate. */
  add(attribute: string, amount: Amount): void {
    const before = this.adds.get(attribute) ?? (typeof amount === 'bigint' ? 0n : 0);
    this.adds.set(attribute, ((before as number) + (amount as number)) as Amount);
  }

  remove(attribute: string): void {
    this.removes.push(this.name(attribute));
  }

  /** Adds a condition; all must hold. */
  require(condition: string): void {
    this.conditions.push(condition);
  }

  /** Requires that the attribute is absent or at most this much. */
  requireAtMost(attribute: string, most: Amount): void {
    const name = this.name(attribute);
    this.require(`(attribute_not_exists(${name}) OR ${name} <= ${this.value(most)})`);
  }

  requireExists(attribute: string): void {
    this.require(`attribute_exists(${this.name(attribute)})`);
  }

  requireEqual(attribute: string, amount: Amount): void {
    this.require(`${this.name(attribute)} = ${this.value(amount)}`);
  }

  /** Whether the update would change nothing. */
  get isEmpty(): boolean {
    return this.sets.length === 0 && this.removes.length === 0 && this.added.length === 0;
  }

  private get added(): [string, Amount][] {
    return [...this.adds].filter(([, amount]) => BigInt(amount) !== 0n);
  }

  toInput(tableName: string, pk: string): UpdateCommandInput {
    const adds = this.added.map(([attribute, amount]) => `${this.name(attribute)} ${this.value(amount)}`);
    const clauses = [
      ['SET', this.sets],
      ['ADD', adds],
      ['REMOVE', this.removes],
    ] as const;
    const used = clauses.filter(([, parts]) => parts.length > 0);
    return {
      TableName: tableName,
      Key: { pk },
      UpdateExpression: used.map(([word, parts]) => `${word} ${parts.join(', ')}`).join(' '),
      ...(this.conditions.length > 0 && { ConditionExpression: this.conditions.join(' AND ') }),
      ExpressionAttributeNames: this.names,
      ExpressionAttributeValues: this.values,
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    };
  }
}
