/** The rules of every detector family, and the inspector that is made of them. A new family is registered in `all-rules.ts`. */
export { ALL_RULES, createInspector } from './all-rules.ts';
export { HARM_RULES, INJECTION_RULES, readWordClasses } from './classifier/classifier.ts';
export { CONVERSATION_SIGNAL_RULES } from './conversation.ts';
