/** Arithmetic on the status field of chats and sessions, unsigned to the last bit. Source: AHP, status bits. */

import { Status } from './state.js';

/** `status` with other activity bits; flags and bits of later versions stay. */
export const withActivity = (status: number, activity: number): number =>
  ((status & ~Status.ActivityMask) | activity) >>> 0;

/** `status` with the bits of `flag` set or cleared. */
export const withFlag = (status: number, flag: number, isSet: boolean): number =>
  (isSet ? status | flag : status & ~flag) >>> 0;

/** Whether all bits of `mask` are set: `InputNeeded` contains `InProgress`, so that an open question is progress, too. */
export const hasStatus = (status: number, mask: number): boolean => (status & mask) >>> 0 === mask;
