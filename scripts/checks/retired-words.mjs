import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../setup/root.mjs";
import { sources } from "./sources.mjs";

/** Names that were replaced by standard terms, with their replacements. `docs/glossary.md` lists the terms. */
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
/** Words that comments never need in another meaning. */
const RETIRED_IN_COMMENTS = {
  "second step": "second factor",
  "second steps": "second factors",
  keeper: "manager",
  keepers: "managers",
  door: "share gate",
  doors: "share gates",
};
/** Words in documents that hide the subject, or for which there is a term. */
const RETIRED_IN_DOCUMENTS = {
  ...RETIRED_IN_COMMENTS,
  whoever: "a person who, or the role",
  "way in": "sign-in method",
  "ways in": "sign-in methods",
  owes: "enqueues",
  owed: "enqueued",
  "of one's own": "the person's, or separate",
};
const WORD = new RegExp(`\\b(${Object.keys(RETIRED).join("|")})\\b`, "g");
/** Comments and texts may use these words in other meanings, e.g. "a twin bed". */
const PROSE = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|`(?:\\.|[^`\\])*`|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;
const COMMENT = /^\/[/*]/;
const WORD_IN_COMMENT = new RegExp(`\\b(${Object.keys(RETIRED_IN_COMMENTS).join("|")})\\b`, "g");
const WORD_IN_DOCUMENT = new RegExp(`\\b(${Object.keys(RETIRED_IN_DOCUMENTS).join("|")})\\b`, "gi");
const CODE_IN_DOCUMENT = /`[^`]*`/g;
const SQL_PROSE = /--[^\n]*|'(?:''|[^'])*'/g;
const RETIRED_FILES =
  /(^|\/)(memory-places|near-media|kept-words|begun-words|shown-at-once|use-speaker|use-led-to|patience|twins|upkeep|portrait|setting-out|coming-back|money-back|rounds)(\.|\/)|(^|[/-])(doors?|keepers?|letters?)[-.][^/]*md$/;

/** Checks that no identifier, file, comment or document uses a word that was replaced by a standard term. */
export async function retiredWords() {
  const files = sources(/\.(ts|tsx|mjs|sql|md)$/).filter((path) => !path.endsWith("retired-words.mjs"));
  const wrong = files.filter((path) => RETIRED_FILES.test(path)).map((path) => `  ${path}: a retired name of a file.`);
  for (const path of files) {
    const text = await readFile(join(root, path), "utf8");
    if (path.endsWith(".md")) {
      wrong.push(...inDocument(path, text));
      continue;
    }
    const code = text.replace(path.endsWith(".sql") ? SQL_PROSE : PROSE, " ");
    for (const word of new Set(code.match(WORD))) {
      wrong.push(`  ${path}: ${word} is now ${RETIRED[/** @type {keyof typeof RETIRED} */ (word)]}.`);
    }
    // Merged migrations stay unchanged, including their comments.
    if (path.endsWith(".sql")) continue;
    const comments = (text.match(PROSE) ?? []).filter((prose) => COMMENT.test(prose)).join("\n");
    for (const word of new Set(comments.match(WORD_IN_COMMENT))) {
      const now = RETIRED_IN_COMMENTS[/** @type {keyof typeof RETIRED_IN_COMMENTS} */ (word)];
      wrong.push(`  ${path}: a comment says ${word}; say ${now}.`);
    }
  }
  return {
    wrong: wrong.join("\n"),
    note: [
      `${Object.keys(RETIRED).length} names`,
      `${Object.keys(RETIRED_IN_COMMENTS).length} words in comments`,
      `${Object.keys(RETIRED_IN_DOCUMENTS).length} in documents`,
    ].join(", "),
  };
}

/**
 * Retired words in a document's prose, and retired names in its code.
 * @param {string} path
 * @param {string} text
 */
function inDocument(path, text) {
  const names = (text.match(CODE_IN_DOCUMENT) ?? []).join(" ").match(WORD) ?? [];
  const prose = text.replace(CODE_IN_DOCUMENT, " ").replace(/\s+/g, " ");
  const terms = (prose.match(WORD_IN_DOCUMENT) ?? []).map((word) => word.toLowerCase());
  return [
    ...[...new Set(names)].map(
      (name) => `  ${path}: ${name} is now ${RETIRED[/** @type {keyof typeof RETIRED} */ (name)]}.`,
    ),
    ...[...new Set(terms)].map(
      (word) =>
        `  ${path}: says ${word}; say ${RETIRED_IN_DOCUMENTS[/** @type {keyof typeof RETIRED_IN_DOCUMENTS} */ (word)]}.`,
    ),
  ];
}
