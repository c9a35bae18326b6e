import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../setup/root.mjs";
import { sources } from "./sources.mjs";

/** Names that were replaced by the field's own terms, and what to say instead. `docs/glossary.md` has the terms. */
const RETIRED = {
  NearMedia: "MediaUrlCache",
  MemoryPlace: "MemoryContext",
  Arrival: "CompletedUpload or UploadBatch",
  MemoryTold: "MemoryContent",
  OrderTold: "OrderStatusPanel",
  useToldWhere: "useSyncNoticeLocale",
  keeper: "manager",
  keepers: "managers",
  fully_signed_in: "has_required_aal",
  LinkDoor: "LinkAccessSettings",
  hasEntered: "isAdmitted",
  entered_since: "admitted_since_version",
  speakerOf: "optionalCaller",
  holderOf: "tokenSubject",
  useSpeaker: "useCommenter",
  WhoMay: "CommentPrompt",
  shareTries: "attemptLimiter",
  giveBack: "refund",
  Patience: "RetryBackoff",
  upkeep: "retention",
  KeptWords: "StoryDraft",
  WordsPlace: "DraftSlot",
  begunWords: "guestDraft",
  MemoryWords: "MemoryFormValues",
  PhotoWordsForm: "CaptionForm",
  shownAtOnce: "optimisticUpdate",
  findTwins: "findDuplicates",
  goOn: "resume",
  portray: "analysePhoto",
  Portrait: "PhotoAnalysis",
  AddOnly: "UploadOnly",
  underTaking: "uploadOnlyFooter",
  useLedTo: "useLoadLinkedComment",
  Entrance: "RedirectSignedIn",
  Oops: "RouteError",
  openTill: "checkoutDeps",
  CardManners: "TestCardBehaviour",
  ensureTold: "ensureStories",
  startUpkeep: "retentionJob",
};
const WORD = new RegExp(`\\b(${Object.keys(RETIRED).join("|")})\\b`, "g");
/** Comments and texts may say any of them: "a twin bed" is no identifier. */
const PROSE = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|`(?:\\.|[^`\\])*`|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;
const SQL_PROSE = /--[^\n]*|'(?:''|[^'])*'/g;
const RETIRED_FILES =
  /(^|\/)(memory-places|near-media|kept-words|begun-words|shown-at-once|use-speaker|use-led-to|patience|twins|upkeep|portrait|setting-out|coming-back|money-back|rounds)(\.|\/)/;

/** No identifier and no file is called by a word that was given up. */
export async function retiredWords() {
  const files = sources(/\.(ts|tsx|mjs|sql)$/).filter((path) => !path.endsWith("retired-words.mjs"));
  const wrong = files.filter((path) => RETIRED_FILES.test(path)).map((path) => `  ${path}: a retired name of a file.`);
  for (const path of files) {
    const code = (await readFile(join(root, path), "utf8")).replace(path.endsWith(".sql") ? SQL_PROSE : PROSE, " ");
    for (const word of new Set(code.match(WORD))) {
      wrong.push(`  ${path}: ${word} is now ${RETIRED[/** @type {keyof typeof RETIRED} */ (word)]}.`);
    }
  }
  return { wrong: wrong.join("\n"), note: `${Object.keys(RETIRED).length} words` };
}
