import type { Contexts } from './context.ts';

/** The set of a step that nothing can take. */
export const NO_SET = -1;

/**
 * The states of all patterns, without empty moves: a state is a point between two characters, a step reads one.
 * Flat, since hundreds of patterns have tens of thousands of states.
 */
export class StateTable {
  /** Per pattern, its first state, which is its start. */
  readonly starts: number[] = [];
  readonly patternOf: number[] = [];
  /** Per state, the contexts in which the pattern has matched. */
  readonly accepts: Contexts[] = [];
  /** Steps of state `s`: indexes `firstStep[s]` up to `firstStep[s + 1]`. */
  readonly firstStep: number[] = [0];
  readonly stepSet: number[] = [];
  /** Per step, the contexts before its character in which it may be taken. */
  readonly stepContexts: Contexts[] = [];
  readonly stepTarget: number[] = [];

  get stateCount(): number {
    return this.accepts.length;
  }

  get stepCount(): number {
    return this.stepSet.length;
  }

  /** Adds a step to the state that `addState` completes next. */
  addStep(set: number, contexts: Contexts, target: number): void {
    this.stepSet.push(set);
    this.stepContexts.push(contexts);
    this.stepTarget.push(target);
  }

  addState(accepts: Contexts): void {
    this.patternOf.push(this.starts.length - 1);
    this.accepts.push(accepts);
    this.firstStep.push(this.stepSet.length);
  }
}
