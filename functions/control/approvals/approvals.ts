import { randomHex } from '../../kernel/crypto/index.ts';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import { type GatewayEvent, newEventId, usualPath, withoutUnusualNames } from '../../kernel/model/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import {
  type Approval,
  type AskedCall,
  canonicalArguments,
  canonicalCode,
  codeFrom,
  codesIn,
  isSameCode,
  isValid,
  type NewApproval,
  toApprovalView,
  VALID_MS,
} from './approval.ts';
import type { ApprovalChange, ApprovalStore } from './approval-store.ts';
import { type AskedValue, askedValues, placeOf, plainValue } from './asked-values.ts';

/** A sealed call has a third more bytes, and an item of the store at most 400 KB. */
const MAX_CALL_CHARS = 64 * 1024;
/** Wrong codes of a key in an hour. */
const MAX_GUESSES = 10;
/** Concurrent requests for the same call are few. */
const MAX_CONFLICTS = 5;

/** Keyed hashes and encryption, with keys that no store has. */
export interface ApprovalSecrets {
  /** Hashes of a text under each key, the current one first. */
  hashes(text: string): Promise<readonly string[]>;
  /** Seals with the current key; `name` binds the text to its place. */
  seal(text: string, name: string): Promise<string>;
  /** Throws StoreUnavailable if the text was changed or its key is gone. */
  open(sealed: string, name: string): Promise<string>;
}

export interface ApprovalsDeps {
  readonly store: ApprovalStore;
  readonly secrets: ApprovalSecrets;
  readonly clock: Clock;
  /** Receives each approval that begins to wait, or is decided by its code. */
  readonly onChanged: (approval: Approval) => void;
}

/**
 * What asking for a call results in. `pending`: the call must wait; `code` releases it. `approved`: it may be sent, this time only. `denied`
 * and `unavailable` (the store failed, or the call is too large to be stored): it must not be sent.
 */
export type Asked =
  | {
      readonly state: 'pending';
      readonly id: string;
      readonly code: string;
      /** ISO 8601. */
      readonly expiresAt: string;
    }
  | { readonly state: 'approved' | 'denied'; readonly id: string }
  | { readonly state: 'unavailable' };

/** Finds the denial of a call, if it was denied in its session. @returns its id */
type DenialOf = (call: Pick<AskedCall, 'name' | 'arguments'>) => Promise<string | undefined>;

/** A call that its user has released. */
interface ReleasedCall extends AskedCall {
  readonly approvalId: string;
}

/**
 * Asks people for tool calls, and releases what they approve: each approval once. There is one for each call of a session, its last. A call of
 * the store ends within three attempts of a second; what fails then releases nothing.
 */
export class Approvals {
  private readonly store: ApprovalStore;
  private readonly secrets: ApprovalSecrets;
  private readonly clock: Clock;
  private readonly onChanged: ApprovalsDeps['onChanged'];

  constructor({ store, secrets, clock, onChanged }: ApprovalsDeps) {
    this.onChanged = onChanged;
    this.store = store;
    this.secrets = secrets;
    this.clock = clock;
  }

  /** Asks for a call, once in a session while it is open; uses an approval that the call already has. Fails closed. */
  async request(wanted: NewApproval): Promise<Asked> {
    if (wanted.call.arguments.length > MAX_CALL_CHARS) return { state: 'unavailable' };
    try {
      const digest = await this.digestOf(wanted.keyId, wanted.call);
      for (let attempt = 0; attempt < MAX_CONFLICTS; attempt += 1) {
        const asked = await this.tryRequest(wanted, digest);
        if (asked !== undefined) return asked;
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
    return { state: 'unavailable' };
  }

  /**
   * Takes the approvals of a session that have these codes. @returns their calls, each exactly once; none for a code that is wrong, of another
   * key or session, denied, used or expired, if the key has guessed too often, and if the store fails
   */
  async redeem(keyId: string, sessionId: string | null, codes: readonly string[]): Promise<ReleasedCall[]> {
    const calls: ReleasedCall[] = [];
    await this.forEach(keyId, sessionId, codes, async (approval) => {
      if (await this.use(approval))
        calls.push({ ...(await openCall(approval, this.secrets)), approvalId: approval.id });
    });
    return calls;
  }

  /** Denies the approvals of a session that have these codes, as its user decides. */
  async deny(keyId: string, sessionId: string | null, codes: readonly string[]): Promise<void> {
    await this.forEach(keyId, sessionId, codes, async (approval) => {
      await this.decide(approval, 'denied');
    });
  }

  /**
   * What was denied in a session, which holds whatever a call is doubtful for now. Without a session, what was shown in the conversation.
   * @param said the texts of the assistant
   * @returns undefined if nothing was denied; `unknown` if the store fails
   */
  async denials(
    keyId: string,
    sessionId: string | null,
    said: () => Iterable<string>,
  ): Promise<DenialOf | undefined | 'unknown'> {
    try {
      const shown = sessionId === null ? codesOf(said()) : undefined;
      if (shown?.size === 0) return undefined;
      const denied: Approval[] = [];
      for (const one of await this.store.ofSession(keyId, sessionId)) {
        if (one.state !== 'denied' || !isValid(one, this.clock.now())) continue;
        if (shown === undefined || (await this.isShown(one, shown))) denied.push(one);
      }
      return denied.length === 0 ? undefined : (call) => this.denialOf({ ...call, keyId }, denied);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      return 'unknown';
    }
  }

  /** A call is denied as a whole, or by one of its values. One that is too large to look at is denied with its tool. */
  private async denialOf(
    { keyId, name, arguments: written }: { readonly keyId: string } & Parameters<DenialOf>[0],
    denied: readonly Approval[],
  ): Promise<string | undefined> {
    const digest = await this.digestOf(keyId, { name, arguments: written });
    const same = denied.find((one) => one.digest === digest);
    if (same !== undefined) return same.id;
    const values = written.length > MAX_CALL_CHARS ? undefined : askedValues(written);
    if (values === undefined) return denied.find(({ tool }) => tool === usualPath(name))?.id;
    for (const value of values) {
      const valueDigest = await this.valueDigestOf(keyId, name, value);
      const like = denied.find((one) => one.valueDigest === valueDigest);
      if (like !== undefined) return like.id;
    }
    return undefined;
  }

  private async isShown({ id }: Approval, codes: ReadonlySet<string>): Promise<boolean> {
    return (await this.secrets.hashes(codeText(id))).some((hash) => codes.has(codeFrom(hash)));
  }

  /** Calls `act` for each approval that can be decided and has one of these codes, until the store fails. */
  private async forEach(
    keyId: string,
    sessionId: string | null,
    codes: readonly string[],
    act: (approval: Approval) => Promise<void>,
  ): Promise<void> {
    if (codes.length === 0) return;
    try {
      const all = await this.store.ofSession(keyId, sessionId);
      const open = all.filter((one) => ['pending', 'approved'].includes(one.state) && isValid(one, this.clock.now()));
      for (const code of open.length === 0 ? [] : codes) {
        if (!(await this.store.countGuess(keyId, MAX_GUESSES))) return;
        const approval = await this.withCode(open, code);
        if (approval === undefined) continue;
        await this.store.forgetGuess(keyId);
        await act(approval);
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }

  /** @returns undefined if the approval has changed meanwhile */
  private async tryRequest(wanted: NewApproval, digest: string): Promise<Asked | undefined> {
    const known = await this.store.find({ ...wanted, digest });
    if (known !== undefined && isValid(known, this.clock.now())) {
      const { state, id } = known;
      if (state === 'pending') return this.pending(known);
      if (state === 'denied') return { state, id };
      if (state === 'approved' && (await this.isOfConversation(known, wanted)))
        return (await this.use(known)) ? { state, id } : undefined;
    }
    const { keyId, call, origin, value } = wanted;
    const valueDigest = await this.valueDigestOf(keyId, call.name, { argument: origin.argument, value });
    const denied = await this.deniedLike(wanted, valueDigest);
    if (denied !== undefined) return { state: 'denied', id: denied.id };
    const approval = await this.create(wanted, { digest, valueDigest });
    const event = eventOf('tool.approval_requested', approval, this.clock.now());
    if (!(await this.store.create(approval, known, event))) return undefined;
    this.onChanged(approval);
    return this.pending(approval);
  }

  /** Without a session, an approval is for the conversation that has its code: others of the key have no session either. */
  private async isOfConversation(approval: Approval, { sessionId, said }: NewApproval): Promise<boolean> {
    return sessionId !== null || this.isShown(approval, codesOf(said?.() ?? []));
  }

  /** An approval of the session that was denied, of a call of the same tool with the same doubtful value. */
  private async deniedLike({ keyId, sessionId }: NewApproval, valueDigest: string): Promise<Approval | undefined> {
    const all = await this.store.ofSession(keyId, sessionId);
    const now = this.clock.now();
    return all.find((one) => one.state === 'denied' && isValid(one, now) && one.valueDigest === valueDigest);
  }

  private async create(wanted: NewApproval, digests: Pick<Approval, 'digest' | 'valueDigest'>): Promise<Approval> {
    const { keyId, teamId, environment, sessionId, endUserId, requestId, field, origin, call, policyRule, reason } =
      wanted;
    const id = `appr_${randomHex(32)}`;
    const now = this.clock.now();
    const { user, ordered } = origin;
    const { call: tool, argument, sources } = withoutUnusualNames({ user: false, ordered: false, ...origin });
    return {
      ...{ id, keyId, teamId, environment, sessionId, endUserId, requestId, tool, argument, field, sources },
      ...{ user, ordered, policyRule, reason },
      ...digests,
      sealedCall: await this.secrets.seal(JSON.stringify(call), id),
      state: 'pending',
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(now + VALID_MS).toISOString(),
      decidedAt: null,
      decidedBy: null,
    };
  }

  private async pending({ id, expiresAt }: Approval): Promise<Asked> {
    const [current = ''] = await this.secrets.hashes(codeText(id));
    return { state: 'pending', id, code: codeFrom(current), expiresAt };
  }

  /** Marks it as used. @returns false if another did so first */
  private async use(approval: Approval): Promise<boolean> {
    if (approval.state === 'approved') return this.store.change(approval, { ...approval, state: 'used' });
    return this.decide(approval, 'used');
  }

  /** Records the decision of the user. @returns false if another was made first */
  private async decide(approval: Approval, state: 'used' | 'denied'): Promise<boolean> {
    const now = this.clock.now();
    const change: ApprovalChange = { state, decidedAt: new Date(now).toISOString(), decidedBy: 'user' };
    if (!(await this.store.change(approval, change, decidedEvent(approval, change, now)))) return false;
    this.onChanged({ ...approval, ...change });
    return true;
  }

  private async withCode(open: readonly Approval[], code: string): Promise<Approval | undefined> {
    for (const approval of open) {
      const hashes = await this.secrets.hashes(codeText(approval.id));
      if (hashes.some((hash) => isSameCode(codeFrom(hash), code))) return approval;
    }
    return undefined;
  }

  private async valueDigestOf(keyId: string, tool: string, { argument, value }: AskedValue): Promise<string> {
    const content = JSON.stringify([keyId, tool, placeOf(argument), plainValue(value)]);
    const [digest = ''] = await this.secrets.hashes(`value of ${content}`);
    return digest;
  }

  private async digestOf(keyId: string, call: Pick<AskedCall, 'name' | 'arguments'>): Promise<string> {
    const content = JSON.stringify([keyId, call.name, canonicalArguments(call.arguments)]);
    const [digest = ''] = await this.secrets.hashes(`approval of ${content}`);
    return digest;
  }
}

function codesOf(texts: Iterable<string>): ReadonlySet<string> {
  return new Set([...texts].flatMap(codesIn).map(canonicalCode));
}

/** API keys, which are hashed too, have another form. */
function codeText(id: string): string {
  return `approval code ${id}`;
}

/** The call of an approval. @throws StoreUnavailable if it does not open */
export async function openCall(
  { id, sealedCall }: Approval,
  secrets: Pick<ApprovalSecrets, 'open'>,
): Promise<AskedCall> {
  return JSON.parse(await secrets.open(sealedCall, id)) as AskedCall;
}

/** The event of a decision. */
export function decidedEvent(approval: Approval, change: ApprovalChange, nowMs: number): GatewayEvent {
  return eventOf('tool.approval_decided', { ...approval, ...change }, nowMs);
}

function eventOf(
  type: 'tool.approval_requested' | 'tool.approval_decided',
  approval: Approval,
  nowMs: number,
): GatewayEvent {
  return { id: newEventId(), type, created: new Date(nowMs).toISOString(), data: toApprovalView(approval, nowMs) };
}
