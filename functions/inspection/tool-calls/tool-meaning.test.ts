import { describe, expect, it } from '@jest/globals';
import { deedsIn, meaningOf, roleOf } from './tool-meaning.ts';

const properties = (...names: string[]) => ({ properties: Object.fromEntries(names.map((name) => [name, {}])) });

describe('the effect of a tool', () => {
  it.each([
    ['search_mail', undefined, 'read'],
    ['payments.list', undefined, 'read'],
    ['gmail.messages.send', undefined, 'send'],
    ['mcp__bank__transfer', undefined, 'send'],
    ['wyslij_przelew', undefined, 'send'],
    ['kontakt_anlegen', undefined, 'write'],
    ['snapshot_delete', undefined, 'remove'],
    ['approveInvoice', undefined, 'write'],
    ['create_payment', undefined, 'send'],
    ['payments_create', undefined, 'send'],
    ['executeTransfer', undefined, 'send'],
    ['create_payment_intent', undefined, 'send'],
    ['zahlung_anlegen', undefined, 'send'],
    ['withdraw', undefined, 'send'],
    ['create_payment_reminder', undefined, 'write'],
    ['get_payment', undefined, 'read'],
    ['delete_payment', undefined, 'remove'],
    ['lookup_and_pay', undefined, 'send'],
    ['findAndSettle', undefined, 'send'],
    ['get_or_create_payment', undefined, 'send'],
    ['buscar_y_eliminar', undefined, 'remove'],
    ['get_date_and_time', undefined, 'read'],
    ['search_and_list_orders', undefined, 'read'],
    ['xyzzy', undefined, 'write'],
    ['xyzzy', 'Löscht einen Eintrag.', 'remove'],
    ['Bash', undefined, 'execute'],
  ])('%s (%s): %s', (name, description, effect) =>
    expect(
      meaningOf({ name, description, parameters: properties(...(name === 'Bash' ? ['command'] : [])) }).effect,
    ).toBe(effect),
  );

  it('is outbound with an address', () => {
    expect(meaningOf({ name: 'update_rule', parameters: properties('forward_to', 'recipients') }).isOutbound).toBe(
      true,
    );
    expect(meaningOf({ name: 'update_rule', parameters: properties('name') }).isOutbound).toBe(false);
  });
});

describe('what a user asks for', () => {
  const asks = (text: string, tool: string) => (deedsIn(text) & meaningOf({ name: tool }).deeds) !== 0;

  it.each([
    ['Delete mail m-1.', 'delete_mail'],
    ['Lösche die Mail m-1.', 'delete_mail'],
    ['Remove the draft.', 'mail_delete'],
    ['Mail Kim the offer.', 'send_email'],
    ['Sum it up and mail it to Kim.', 'send_email'],
    ['Pay the order.', 'create_payment'],
  ])('%s: %s', (text, tool) => expect(asks(text, tool)).toBe(true));

  it.each([
    ['Summarise mail m-1.', 'delete_mail'],
    ['Read my mail.', 'delete_mail'],
    ['Read my mail.', 'send_email'],
    ['Fasse die Mail m-1 zusammen.', 'delete_mail'],
    ['Show me the latest orders.', 'cancel_order'],
    ['What is in the payment file?', 'pay'],
  ])('%s: not %s', (text, tool) => expect(asks(text, tool)).toBe(false));
});

describe('the role of an argument', () => {
  it.each([
    ['to', 'destination'],
    ['empfaenger', 'destination'],
    ['toIban', 'destination'],
    ['message_id', 'selector'],
    ['body', 'content'],
    ['betrag', 'amount'],
    ['api_key', 'secret'],
    ['command', 'command'],
    ['old_string', 'none'],
    ['limit', 'amount'],
    ['max_price', 'amount'],
  ])('%s: %s', (name, role) => expect(roleOf(name, {})).toBe(role));

  it('is none for how much a search returns', () => expect(roleOf('limit', {}, true)).toBe('none'));

  it('is none for a choice or a switch', () => {
    expect(roleOf('to', { enum: ['a', 'b'] })).toBe('none');
    expect(roleOf('to', { type: 'boolean' })).toBe('none');
  });
});
