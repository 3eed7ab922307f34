export { hashToken, WordClasses } from './features.ts';
export { LinearClassifier, readModel } from './linear-classifier.ts';
export { SentenceScorer } from './sentence-scorer.ts';
export { eachToken, IDEOGRAPH, KINDS, LETTER } from './tokens.ts';
