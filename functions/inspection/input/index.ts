export {
  decideSteps,
  InputVerdict,
  inspectRequest,
  isUnreadableRule,
  lastTurnScore,
  unreadableRule,
} from './inspect-request.ts';
