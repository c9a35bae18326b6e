import { dictionary } from "@zxcvbn-ts/language-common";
import { SHORTEST_PASSWORD } from "../../../shared/credentials.ts";

/** The list keeps small letters only; what is too short is refused as such. */
const common = new Set(dictionary["passwords-common"].filter((password) => password.length >= SHORTEST_PASSWORD));

/** Whether a password is among the tens of thousands that are tried first, in whichever case it is written. */
export const isCommon = (password: string): boolean => common.has(password.toLowerCase());
