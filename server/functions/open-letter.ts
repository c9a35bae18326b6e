import { OpenLetter } from "../../shared/letter.ts";
import { RequestError } from "../../shared/request-error.ts";
import { openedLetter } from "../sharing/letters.ts";
import { endpoint } from "./endpoint.ts";

/**
 * POST /functions/v1/open-letter: resolves the key of a letter's link to a token that reads and answers the letter and
 * nothing else. A letter that has ended is answered like an unknown one.
 */
export const openLetter = endpoint(
  { ownPagesOnly: true, caller: "unidentified", body: OpenLetter },
  async ({ db, tokens, body: { key } }) => {
    const letter = await openedLetter({ db, tokens }, key);
    if (!letter) throw new RequestError("letter_ended");
    return letter;
  },
);
