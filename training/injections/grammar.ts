import { ATTACKS } from './attacks.ts';
import { ATTACKS_BY_LANGUAGE } from './attacks-languages.ts';
import { HARMLESS_BY_LANGUAGE } from './harmless-languages.ts';
import { AROUND_MACHINES } from './harmless-machines.ts';
import { TO_PEOPLE } from './harmless-people.ts';
import { ADDRESS } from './slots-address.ts';
import { AGENT_ACTS, AROUND_AGENTS, ORDERS_TO_AGENTS } from './slots-agents.ts';
import { ENTITIES } from './slots-entities.ts';
import { FILLER } from './slots-filler.ts';
import { GOALS } from './slots-goals.ts';
import { GOALS_BY_LANGUAGE } from './slots-languages.ts';
import { DUTIES_BY_LANGUAGE } from './slots-languages-people.ts';
import { DUTIES } from './slots-people.ts';
import { PHRASES } from './slots-phrases.ts';
import { GOAL_SENTENCES } from './slots-sentences.ts';
import { FORGED_TURNS, IN_DOCUMENTS } from './wrappers.ts';
import { IN_FILES } from './wrappers-files.ts';

/** Sentences as a grammar: each template has slots `{name}`, filled from `slots` at random; slots may hold slots. */
export interface InjectionGrammar {
  readonly slots: Readonly<Record<string, readonly string[]>>;
  /** Instructions to a model as they are hidden in a document, mail, web page, ticket, code file or tool result. */
  readonly attacks: readonly string[];
  /** Notes and instructions to people or programs that stand in the same places and attack nothing. */
  readonly harmless: readonly string[];
  /** How an instruction is hidden or framed in a document: each holds `{payload}` once. */
  readonly wrappers: readonly string[];
}

/** Every second template goes on, so that length does not tell the harmless texts from the attacks. */
const continued = (templates: readonly string[]): readonly string[] =>
  templates.map((template, i) => (i % 2 === 0 ? `${template} {more}` : template));

/** A slot is `{` letters and digits `}`; other braces, as in JSON or LaTeX, are text. */
export const INJECTIONS: InjectionGrammar = {
  slots: {
    ...ENTITIES,
    ...FILLER,
    ...ADDRESS,
    ...DUTIES,
    ...PHRASES,
    ...GOALS,
    ...GOAL_SENTENCES,
    ...GOALS_BY_LANGUAGE,
    ...DUTIES_BY_LANGUAGE,
  },
  attacks: [...ATTACKS, ...ATTACKS_BY_LANGUAGE],
  harmless: [...continued(TO_PEOPLE), ...continued(AROUND_MACHINES), ...HARMLESS_BY_LANGUAGE],
  wrappers: [...IN_DOCUMENTS, ...FORGED_TURNS, ...IN_FILES],
};

/** Orders to an agent to misuse its tools or to act on a web site, and what is said of tools and sites otherwise. */
export const AGENT_ORDERS: InjectionGrammar = {
  slots: { ...INJECTIONS.slots, ...AGENT_ACTS },
  attacks: ORDERS_TO_AGENTS,
  harmless: AROUND_AGENTS,
  wrappers: INJECTIONS.wrappers,
};
