import { browserStorage, keepJson, readJson } from "../../lib/browser/storage.ts";
import type { Answers } from "./letter.queries.ts";

const keyOf = (letterId: string) => `skies-letter-${letterId}`;

type Drafts = Record<string, Answers>;

const draftsOf = (letterId: string) => (readJson(browserStorage, keyOf(letterId)) ?? {}) as Drafts;

/** What was typed about a photo and not sent; undefined without it. */
export const readDraft = (letterId: string, photoId: string): Answers | undefined => draftsOf(letterId)[photoId];

/** Keeps what was typed about a photo in this browser; removes it for undefined. */
export function keepDraft(letterId: string, photoId: string, answers: Answers | undefined) {
  const { [photoId]: _before, ...others } = draftsOf(letterId);
  const drafts = answers ? { ...others, [photoId]: answers } : others;
  keepJson(browserStorage, keyOf(letterId), Object.keys(drafts).length > 0 ? drafts : undefined);
}
