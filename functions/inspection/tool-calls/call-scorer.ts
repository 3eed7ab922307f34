import type { RecordedToolCall } from '../../kernel/model/index.ts';
import type { Steps } from '../../kernel/tasks/index.ts';
import type { Rule } from '../matching/index.ts';
import { type Call, type CallEvidence, evidenceOf, ordersOf } from './call-evidence.ts';
import type { LocatedValue } from './call-values.ts';
import weights from './call-weights.generated.json' with { type: 'json' };
import type { Conversation, Place } from './conversation.ts';
import { MOST_ORDER } from './parsed-source.ts';
import { isOrdered } from './passages.ts';
import { type DataKnowledge, type PrivateData, privateDataOf } from './private-data.ts';
import { partsOf, type ResultPart } from './result-parts.ts';
import { CALL_RULES, type CallCategory, callRuleOf, REPORT_FROM } from './rules.ts';
import type { TextModels } from './text-models.ts';
import { CUES } from './word-groups.ts';

/** Where a value of a call occurs; never its text. */
export interface CallSource {
  /** Index of the message. */
  readonly message: number;
  readonly tool: string | null;
  /** Path in the result, such as `items[0].body`; empty for a text without structure. */
  readonly field: string;
  /** Of the value in the text of the field, in UTF-16 code units; equal if its place is not known. */
  readonly start: number;
  readonly end: number;
  readonly as: 'field' | 'prose';
  /** Whether it is a message that repeats an earlier turn of the session. */
  readonly earlier?: true;
}

/** Why a call is reported. */
export interface CallFinding {
  readonly category: CallCategory;
  readonly rule: Rule;
  /** 0..1: the probability that an attacker caused the call, as on the corpus of training/data/tool-calls. */
  readonly score: number;
  /** Path of the doubtful argument, such as `to[0]`; null if the call as a whole is. */
  readonly argument: string | null;
  /** Whether the user's texts contain its value. */
  readonly isFromUser: boolean;
  readonly sources: readonly CallSource[];
  /** Whether third-party text orders such a call. */
  readonly isOrdered: boolean;
  /** Whether the user had the agent do what a document says. */
  readonly isDelegated: boolean;
  /** Whether it takes a password, a key or the like out of a result. */
  readonly hasSecret: boolean;
}

/** Where the value of an argument comes from. */
export type PlacedValue = RecordedToolCall['arguments'][number];

/** Where the value of an argument comes from, also one that is no finding; `null`: what explains the call as a whole. */
export type OriginOf = (argument: string | null) => Pick<CallFinding, 'isFromUser' | 'sources' | 'isOrdered'>;

export interface ScoredCall {
  readonly originOf: OriginOf;
  readonly values: readonly PlacedValue[];
  /** What is wrong with the call; undefined if nothing is. */
  readonly finding: CallFinding | undefined;
}

/** From this score on a call is reported if it takes private data out: of our scenes most such calls are attacks. */
const REPORT_DATA_FROM = 0.4;
const SECRET_SCORE = 0.9;
const MAX_WEAK_SCORE = 0.6;
const MAX_SOURCES = 5;
const MAX_VALUES = 12;
const DELEGATE = CUES.bit('delegate');
/** What words of delegation add to the score of a user's wording, and from where on the user has delegated. */
const DELEGATE_CUE = 1.5;
const DELEGATED_FROM = 1.5;

/** Scores calls by the conversation before them. */
export class CallScorer {
  private readonly models: TextModels;

  constructor(models: TextModels) {
    this.models = models;
  }

  /**
   * Most calls are so clear that no text could make them a finding; then the texts are not scored, which takes half of the time.
   * @param from the score from which a call is reported
   */
  *scoreSteps(conversation: Conversation, call: Call, knowledge: DataKnowledge, from = REPORT_FROM): Steps<ScoredCall> {
    const evidence = evidenceOf(conversation, call, this.models, MOST_ORDER);
    yield;
    const values = evidence.values.slice(0, MAX_VALUES).map(toPlacedValue);
    const originOf: OriginOf = (argument) => placedAt(argument, conversation, call, evidence);
    const data = yield* privateDataOf(conversation, call, evidence.values, knowledge);
    const most = { probability: probabilityOf(evidence, weights), data };
    if (combinedScore(most) < from) return { originOf, values, finding: undefined };
    for (const source of conversation.recent()) {
      source.orders(this.models);
      yield;
    }
    const features = { ...evidence.features, anyOrders: ordersOf(conversation, this.models) };
    const probability = probabilityOf({ ...evidence, features }, weights);
    const finding = findingOf(conversation, call, { ...evidence, features }, { probability, data }, from);
    return { originOf, values, finding };
  }
}

/** What each number of the evidence is worth. */
export interface CallWeights {
  readonly bias: number;
  readonly weights: Readonly<Record<string, number>>;
}

/**
 * The probability that a call is an attacker's. Coding agents run commands and change files all the time: one without a value that could harm
 * counts only if words of it are a third party's, and has a low maximum.
 */
export function probabilityOf(
  { features, isHarmless }: Pick<CallEvidence, 'features' | 'isHarmless'>,
  { bias, weights: by }: CallWeights,
): number {
  const logOdds = Object.entries(by).reduce((sum, [name, weight]) => sum + weight * (features[name] ?? 0), bias);
  const probability = 1 / (1 + Math.exp(-logOdds));
  if (!isHarmless) return probability;
  return features.wordsOfProse === 0 ? 0 : Math.min(probability, MAX_WEAK_SCORE);
}

/** How likely a call is an attacker's, and what it takes out. */
export interface CallSigns {
  readonly probability: number;
  readonly data: PrivateData | undefined;
}

/** The score of a call. */
export function combinedScore({ probability, data }: CallSigns): number {
  if (data?.hasSecret === true) return Math.max(probability, SECRET_SCORE);
  const isRaised = data !== undefined && probability >= REPORT_DATA_FROM;
  return isRaised ? Math.max(probability, REPORT_FROM) : probability;
}

/** What is wrong with a call; undefined if the signs are too weak. */
export function findingOf(
  conversation: Conversation,
  call: Call,
  evidence: CallEvidence,
  signs: CallSigns,
  from = REPORT_FROM,
): CallFinding | undefined {
  const score = combinedScore(signs);
  if (score < from) return undefined;
  const { data, probability } = signs;
  const { meaning } = conversation.tool(call.tool);
  const orders = evidence.passage?.orders === true || isOrdered(conversation, meaning);
  const said = { isOrdered: orders, isDelegated: isDelegated(conversation, evidence) };
  const isOfData = data !== undefined && (data.hasSecret || !orders || probability < REPORT_FROM);
  return { ...(isOfData ? ofData(data, score) : ofOrigin(evidence, score, orders)), ...said };
}

/** Whether the user left it to a document what to do. */
export function isDelegated({ latest }: Conversation, { features: { defers = 0 } }: CallEvidence): boolean {
  const cue = (CUES.in(latest) & DELEGATE) === 0 ? 0 : DELEGATE_CUE;
  return defers + cue > DELEGATED_FROM;
}

type Origin = Omit<CallFinding, 'isOrdered' | 'isDelegated'>;

function ofData({ destination, places, hasSecret }: PrivateData, score: number): Origin {
  return {
    category: 'private_data_out',
    rule: CALL_RULES.private_data_out,
    score,
    argument: destination.argument,
    isFromUser: false,
    sources: uniqueSources(places, ''),
    hasSecret,
  };
}

function ofOrigin({ main, passage }: CallEvidence, score: number, orders: boolean): Origin {
  const isWeak = main === undefined && !orders;
  const isUnknown = main !== undefined && main.prose.length + main.fields.length === 0;
  const category = isWeak ? 'unrequested_call' : isUnknown ? 'unknown_destination' : 'instructed_call';
  const places = main === undefined ? [] : [...main.prose, ...main.fields];
  const explaining = passage === undefined ? places : [passage.place, ...places];
  return {
    category,
    rule: callRuleOf(category, main?.role),
    score: isWeak ? Math.min(score, MAX_WEAK_SCORE) : score,
    argument: main?.argument ?? null,
    isFromUser: main?.isTrusted === true,
    sources: uniqueSources(explaining, main?.text ?? ''),
    hasSecret: false,
  };
}

function placedAt(
  argument: string | null,
  conversation: Conversation,
  { tool }: Call,
  { values, passage }: CallEvidence,
): ReturnType<OriginOf> {
  const isOrderedBy = passage?.orders === true || isOrdered(conversation, conversation.tool(tool).meaning);
  const own = values.filter((one) => argument !== null && isAt(one.argument, argument));
  const places = own.flatMap((one) => uniqueSources([...one.prose, ...one.fields], one.text));
  const explaining = passage === undefined ? [] : uniqueSources([passage.place], '');
  return {
    isFromUser: own.length > 0 && own.every(({ isTrusted }) => isTrusted),
    sources: (argument === null ? explaining : places).slice(0, MAX_SOURCES),
    isOrdered: isOrderedBy,
  };
}

/** Whether a path is that of an argument, or of a part of it. */
function isAt(path: string, argument: string): boolean {
  return path.startsWith(argument) && ['', '.', '['].includes(path.charAt(argument.length));
}

function toPlacedValue({ argument, isTrusted, fields, prose }: LocatedValue): PlacedValue {
  if (isTrusted) return { argument, from: 'user' };
  const [place] = [...fields, ...prose];
  if (place === undefined) return { argument, from: 'none' };
  const { message, tool = null } = place.source;
  return { argument, from: fields.length > 0 ? 'field' : 'prose', message, tool, field: fieldOf(place) };
}

function fieldOf({ part }: Place): string {
  return part.path.replace(/^\./, '');
}

/** The range of a value in the text of its part, which only the whole source has in its first form. */
function rangeOf(value: string, { source, part }: Place): readonly [start: number, end: number] {
  if (source.isRepeated) return [0, 0];
  const isPart = ({ path, start = 0 }: ResultPart) => path === part.path && start === part.start;
  const at = value === '' ? -1 : (partsOf(source.text).find(isPart)?.text.indexOf(value) ?? -1);
  const start = at + (part.start ?? 0);
  return at < 0 ? [0, 0] : [start, start + value.length];
}

function uniqueSources(places: readonly Place[], value: string): CallSource[] {
  const sources = new Map<string, CallSource>();
  for (const place of places) {
    const { source, part } = place;
    const { message, tool = null } = source;
    const [start, end] = rangeOf(value, place);
    const field = fieldOf(place);
    const found = { message, tool, field, start, end, as: part.isProse ? 'prose' : 'field' } as const;
    sources.set(`${message} ${field}`, source.isRepeated ? { ...found, earlier: true } : found);
  }
  return [...sources.values()].slice(0, MAX_SOURCES);
}
