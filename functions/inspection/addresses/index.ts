export { type AddressReader, openAddressReader, openTextAbove, type TextAbove } from './address-reader.ts';
export { otherHost } from './other-host.ts';
