export { hashToken, WordClasses } from './features.ts';
export { LinearClassifier, type LinearModel, type ModelFile, readModel } from './linear-classifier.ts';
export { SentenceScorer } from './sentence-scorer.ts';
export { TokenWeigher } from './token-weigher.ts';
export { eachToken, IDEOGRAPH, KINDS, LETTER } from './tokens.ts';
export { bestWindow } from './window-score.ts';
