import type { AuditEntry } from '../core/audit/audit-record.ts';
import type { GatewayError } from '../core/errors.ts';
import type { DeadReason, Delivery } from '../core/model/delivery.ts';
import type { ExchangeLog, ExchangeRecord } from '../core/ports/exchange-log.ts';
import type { LimitAlarm } from '../core/ports/limit-alarm.ts';
import { countOf, METRICS } from './metrics.ts';

/** One JSON line for each event, where Lambda and the local run both collect them: standard output. */
function writeLine(level: 'INFO' | 'ERROR', message: string, fields: object): void {
  process.stdout.write(`${JSON.stringify({ timestamp: new Date().toISOString(), level, message, ...fields })}\n`);
}

/** The record of each request as a line. It names no end user: what is logged cannot be deleted for one. */
export const jsonExchangeLog: ExchangeLog = {
  record: ({ endUserId: _, ...told }: ExchangeRecord) => {
    writeLine(told.outcome === 'failed' ? 'ERROR' : 'INFO', 'request', told);
  },
  lost: (requestId, what, error) =>
    writeLine('ERROR', `${what} lost`, { requestId, internal: error instanceof Error ? error.message : typeof error }),
};

/** A request that failed on our side before it had a record. */
export function logError(requestId: string, error: GatewayError): void {
  writeLine('ERROR', 'error', { requestId, code: error.code, status: error.status, internal: error.internal ?? null });
}

/** An audit record's place, hash and kind: whoever could rewrite the audit log could not rewrite these lines. */
export function logAudit({ record: { seq, action, actor, target }, hash }: AuditEntry): void {
  writeLine('INFO', 'audit', { seq, hash, action, actor, target });
}

/** An answer that left and that a repetition of its request will not be told. */
export function logLostAnswer(requestId: string, error: unknown): void {
  writeLine('ERROR', 'answer not kept', { requestId, internal: error instanceof Error ? error.message : typeof error });
}

/** Limits that were not kept to the letter: CloudWatch counts these lines. */
export const jsonLimitAlarm: LimitAlarm = {
  admittedOpen: (requestId, keyId, reason) =>
    writeMetric(METRICS.admittedWithoutLimits, 'admitted without limits', { requestId, keyId, internal: reason }),
  unsettled: (keyId, reason) => writeMetric(METRICS.unsettled, 'use not counted', { keyId, internal: reason }),
};

function writeMetric(name: string, message: string, fields: object): void {
  writeLine('ERROR', message, { ...fields, ...countOf(name, Date.now()) });
}

/** Settings of providers that could not be read: the last ones stay in use. */
export function logUnreadableSettings({ message }: Error): void {
  writeLine('ERROR', 'settings not read', { internal: message });
}

/** A webhook that nobody tries to deliver any more: CloudWatch counts the lines. */
export function logDeadDelivery({ id, webhookId, eventId }: Delivery, reason: DeadReason): void {
  writeMetric(METRICS.deadDeliveries, 'delivery given up', { deliveryId: id, webhookId, eventId, reason });
}

/** A queue's message that has to come again. */
export function logFailedMessage(messageId: string, error: unknown): void {
  writeLine('ERROR', 'message failed', { messageId, internal: error instanceof Error ? error.message : typeof error });
}
