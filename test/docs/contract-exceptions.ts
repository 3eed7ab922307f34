/** Reasons by the field: `operation.field`, `*.field` of every operation, or `operation.*` for all fields of one. */
type Reasons = Readonly<Record<string, string>>;

const PAGES = 'Pages are read one after another.';
const VALUE = 'Standard input has it.';
const SAME = 'It is another name of from or to.';

/** Fields that no option of the command line sets. */
export const NOT_AN_OPTION: Reasons = {
  '*.cursor': PAGES,
  'listKeys.limit': 'The list has every key.',
  'listKeyTools.limit': 'The list has every tool.',
  'listWebhooks.limit': 'The list has every webhook.',
  'listKeys.include': 'usage has the totals.',
  'updateKey.state': 'keys enable and keys disable set it.',
  'putPolicy.*': 'The file of policy set has the whole policy.',
  'rollbackPolicy.version': 'The argument VERSION.',
  'createCredential.provider': 'The argument PROVIDER.',
  'createCredential.value': VALUE,
  'rotateCredential.value': VALUE,
  'updateCredential.provider': 'It never changes.',
  'promotePolicy.version': 'The argument VERSION.',
  'withdrawPolicy.version': 'The argument VERSION.',
  'putOverride.*': 'override observe, refuse and none set it, with --for.',
  'getRoutes.effective': 'routes lists those in force, routes show the document.',
  'putRoutes.*': 'The file of routes set has all routes.',
  'rollbackRoutes.version': 'The argument VERSION.',
  'disableRoute.*': 'The argument MODELS and --target.',
  'enableRoute.*': 'The argument MODELS and --target.',
  'createProvider.name': 'The argument NAME.',
  'createProvider.state': 'providers disable sets it.',
  'updateProvider.state': 'providers enable and providers disable set it.',
  'rollbackProviders.version': 'The argument VERSION.',
  'replayPolicy.policy': 'The argument FILE.',
  'replayPolicy.requestId': 'A page of the dashboard decides one request again.',
  'getSummary.interval': 'With --interval the command reads the time series.',
  'listKeyNames.ids': 'The commands look up names themselves.',
  'listRequests.since': SAME,
  'listRequests.until': SAME,
  'markThreat.mark': 'The argument MARK.',
  'decideApproval.decision': 'approvals approve and approvals deny set it.',
};

const RANGE = 'The time range has its own fields.';
const GRACE = 'The dialog offers usual grace periods.';
const OF_CREATE = 'The form of a new webhook also changes it.';
const OVERVIEW = 'The page is about all of them; its tables lead to the filtered list of requests.';
const PAGE_DECIDES = 'The page decides it.';
const EDITOR = 'The editor of policies has it.';

/** Fields that neither a form nor a filter of the dashboard sets. */
export const NOT_IN_DASHBOARD: Reasons = {
  '*.cursor': PAGES,
  '*.limit': PAGES,
  'createDashboardSession.key': 'The sign-in page asks for it.',
  'listKeys.include': 'The page shows the totals always.',
  'decideApproval.decision': 'The buttons to approve and to deny set it.',
  'updateKey.state': 'The dialogs to disable and to enable set it.',
  'rotateKey.graceSeconds': GRACE,
  'rotateWebhookSecret.graceSeconds': GRACE,
  'updateWebhook.url': OF_CREATE,
  'updateWebhook.events': OF_CREATE,
  'updateWebhook.description': OF_CREATE,
  'updateWebhook.filter.minThreatScore': OF_CREATE,
  'updateWebhook.filter.threatTypes': OF_CREATE,
  'updateWebhook.filter.environments': OF_CREATE,
  'updateWebhook.state': 'The dialogs to disable and to enable set it.',
  'getPolicy.effective': 'The page shows both.',
  'getKeyPolicy.effective': 'The page shows both.',
  'putPolicy.*': EDITOR,
  'rollbackPolicy.version': 'The list of versions has a button.',
  'promotePolicy.version': 'The roll-out that runs has a button.',
  'withdrawPolicy.version': 'The roll-out that runs has a button.',
  'putOverride.*': 'The buttons under Emergency, and their dialog.',
  'getRoutes.effective': 'The page shows those in force.',
  'rotateCredential.*': 'The dialog has its own form.',
  'updateCredential.*': 'The dialogs to disable and to enable set the state; a command changes the name.',
  'updateProvider.*': 'The form of a new provider also changes it; buttons enable and disable it.',
  'createProvider.state': 'A button disables it.',
  'rollbackProviders.version': 'The list of versions has a button.',
  'disableRoute.*': 'The dialog offers the route and its targets.',
  'enableRoute.*': 'The dialog offers the route and its targets.',
  'getPolicyScores.*': 'The editor shows the last week of all keys.',
  'approveKeyTool.digest': 'The dialog accepts the definition that it shows.',
  'replayPolicy.*': 'The page of replays has its own form.',
  'suggestTools.*': 'The pages suggest from the last week of all keys.',
  'testProvider.model': 'The dialog offers the models of the provider.',
  'getSummary.from': RANGE,
  'getSummary.to': RANGE,
  'getSummary.keyId': OVERVIEW,
  'getSummary.endUserId': OVERVIEW,
  'getSummary.model': OVERVIEW,
  'getSummary.groupBy': PAGE_DECIDES,
  'getSummary.interval': PAGE_DECIDES,
  'getTimeseries.*': 'The overview sends what it sends for its totals.',
  'listKeyNames.ids': 'The pages look up names themselves.',
  'listRequests.since': SAME,
  'listRequests.until': SAME,
  'getRequest.time': 'The page of a finding knows it.',
  'getSession.keyId': 'The link to a session has it.',
  'markThreat.mark': 'The page of a finding has buttons.',
};
