/**
 * The part of OCSF 1.5.0 that our findings use, written down from what is published of the class Detection Finding with the profile
 * Security Control: https://schema.ocsf.io/1.5.0/classes/detection_finding?profiles=security_control. An attribute that is not
 * here is a fault, so that each new one is looked up first.
 */
type Check = (value: unknown) => boolean;
interface Attribute {
  readonly required?: true;
  readonly check: Check;
  /** Of an object, or of each object of a list. */
  readonly object?: string;
}
interface Shape {
  readonly attributes: Readonly<Record<string, Attribute>>;
  readonly atLeastOne?: readonly string[];
}

const text: Check = (value) => typeof value === 'string' && value !== '';
const integer: Check = Number.isInteger;
const flag: Check = (value) => typeof value === 'boolean';
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const object: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const objects: Check = (value) => Array.isArray(value) && value.every(object);
/** Milliseconds since 1970. */
const time: Check = (value) => integer(value) && (value as number) > 1e12;
const url: Check = (value) => text(value) && URL.canParse(value as string);
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const upTo = (last: number) => [...Array(last + 1).keys(), 99];

/** An id and its caption, which must belong together. */
const CAPTIONS: readonly (readonly [id: string, caption: string, captions: Readonly<Record<number, string>>])[] = [
  [
    'severity_id',
    'severity',
    { 0: 'Unknown', 1: 'Informational', 2: 'Low', 3: 'Medium', 4: 'High', 5: 'Critical', 6: 'Fatal' },
  ],
  ['activity_id', 'activity_name', { 0: 'Unknown', 1: 'Create', 2: 'Update', 3: 'Close' }],
  ['status_id', 'status', { 0: 'Unknown', 1: 'New', 2: 'In Progress', 3: 'Suppressed', 4: 'Resolved', 5: 'Archived' }],
  ['action_id', 'action', { 0: 'Unknown', 1: 'Allowed', 2: 'Denied', 3: 'Observed', 4: 'Modified' }],
  ['confidence_id', 'confidence', { 0: 'Unknown', 1: 'Low', 2: 'Medium', 3: 'High' }],
  ['disposition_id', 'disposition', { 1: 'Allowed', 2: 'Blocked', 11: 'Corrected', 15: 'Detected', 17: 'Logged' }],
  ['type_id', 'type', { 0: 'Unknown', 1: 'Rule', 2: 'Behavioral', 3: 'Statistical', 4: 'Learning (ML/DL)' }],
];

const SHAPES: Readonly<Record<string, Shape>> = {
  detection_finding: {
    attributes: {
      activity_id: { required: true, check: oneOf(...upTo(3)) },
      activity_name: { check: text },
      category_uid: { required: true, check: oneOf(2) },
      category_name: { check: oneOf('Findings') },
      class_uid: { required: true, check: oneOf(2004) },
      class_name: { check: oneOf('Detection Finding') },
      type_uid: { required: true, check: integer },
      type_name: { check: text },
      time: { required: true, check: time },
      message: { check: text },
      severity_id: { required: true, check: oneOf(...upTo(6)) },
      severity: { check: text },
      status_id: { check: oneOf(...upTo(5)) },
      status: { check: text },
      is_alert: { check: flag },
      action_id: { check: oneOf(...upTo(4)) },
      action: { check: text },
      disposition_id: { check: oneOf(...upTo(27)) },
      disposition: { check: text },
      confidence_id: { check: oneOf(...upTo(3)) },
      confidence: { check: text },
      confidence_score: { check: integer },
      attacks: { check: objects, object: 'attack' },
      finding_info: { required: true, check: object, object: 'finding_info' },
      resources: { check: objects, object: 'resource_details' },
      metadata: { required: true, check: object, object: 'metadata' },
      unmapped: { check: object },
    },
  },
  finding_info: {
    attributes: {
      uid: { required: true, check: text },
      title: { check: text },
      types: { check: texts },
      analytic: { check: object, object: 'analytic' },
      attacks: { check: objects, object: 'attack' },
      created_time: { check: time },
    },
  },
  analytic: {
    attributes: {
      type_id: { required: true, check: oneOf(...upTo(4)) },
      type: { check: text },
      uid: { check: text },
      name: { check: text },
      category: { check: text },
    },
    atLeastOne: ['uid', 'name'],
  },
  attack: {
    attributes: {
      technique: { check: object, object: 'technique' },
      sub_technique: { check: object, object: 'technique' },
    },
    atLeastOne: ['tactic', 'technique', 'sub_technique'],
  },
  technique: {
    attributes: { uid: { check: text }, name: { check: text }, src_url: { check: url } },
    atLeastOne: ['uid', 'name'],
  },
  resource_details: {
    attributes: { uid: { check: text }, name: { check: text }, type: { check: text } },
    atLeastOne: ['uid', 'name'],
  },
  metadata: {
    attributes: {
      version: { required: true, check: oneOf('1.5.0') },
      product: { required: true, check: object, object: 'product' },
      profiles: { check: (value) => texts(value) && (value as string[]).every((one) => one === 'security_control') },
      uid: { check: text },
      correlation_uid: { check: text },
      event_code: { check: text },
      original_time: { check: text },
    },
  },
  product: { attributes: { name: { check: text }, vendor_name: { check: text } }, atLeastOne: ['name', 'uid'] },
};

/** Each deviation of a finding from OCSF's schema, as a sentence. */
export function faultsOf(finding: object): string[] {
  const { class_uid, activity_id, type_uid } = finding as Record<string, number>;
  const composed = (class_uid ?? 0) * 100 + (activity_id ?? 0) === type_uid;
  return [
    ...faultsIn(finding, 'detection_finding', ''),
    ...(composed ? [] : ['type_uid: not of its class and activity']),
  ];
}

function faultsIn(value: object, name: string, at: string): string[] {
  const { attributes, atLeastOne } = SHAPES[name] as Shape;
  const faults: string[] = [];
  const members = value as Readonly<Record<string, unknown>>;
  for (const [attribute, { required }] of Object.entries(attributes)) {
    if (required && members[attribute] === undefined) faults.push(`${at}${attribute}: missing`);
  }
  if (atLeastOne !== undefined && !atLeastOne.some((one) => members[one] !== undefined)) {
    faults.push(`${at}: none of ${atLeastOne.join()}`);
  }
  for (const [attribute, member] of Object.entries(members)) {
    const known = attributes[attribute];
    if (known === undefined) faults.push(`${at}${attribute}: unknown`);
    else if (!known.check(member)) faults.push(`${at}${attribute}: wrong value`);
    else if (known.object !== undefined) {
      for (const one of [member].flat()) faults.push(...faultsIn(one as object, known.object, `${at}${attribute}.`));
    }
  }
  for (const [id, caption, captions] of CAPTIONS) {
    if (attributes[id] === undefined || members[id] === undefined || members[caption] === undefined) continue;
    if (captions[members[id] as number] !== members[caption]) faults.push(`${at}${caption}: not the caption of ${id}`);
  }
  return faults;
}
