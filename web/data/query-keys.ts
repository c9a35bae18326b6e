import type { QueryKey } from "@tanstack/react-query";

/** A function that makes a query key from these parts. Without the last parts, the key is a prefix. */
type Key<Parts extends unknown[]> = (...parts: Partial<Parts>) => QueryKey;
type User = [userId: string];
type OfMemory = [memoryId: string];
type OfSubject = [memoryId: string, mediaId: string | null];

interface QueryKeys {
  affiliate: Key<User | [part: "figures", affiliateId: string]>;
  albums: Key<
    [userId: string, "pages"] | [part: "one" | "memories" | "photos", albumId: string] | [part: "of", memoryId: string]
  >;
  audit: Key<[part: "rows", wish: object] | [part: "names", ids: readonly string[]]>;
  authCode: Key<[code: string | null]>;
  blocks: Key<OfMemory>;
  blog: Key<[language: string]>;
  blogPost: Key<[id: string, language: string]>;
  cart: Key<User>;
  catalogue: Key<[]>;
  comments: Key<OfSubject>;
  credit: Key<[mediaId: string]>;
  day: Key<OfMemory>;
  dayReplies: Key<[memoryId: string, part: "settings" | "own" | "all" | "links", replierId: string]>;
  deskBlog: Key<
    | [part: "list", find: string]
    | [part: "one", slug: string]
    | [part: "revisions", slug: string, language: string]
    | [part: "revision", id: string]
  >;
  deskCards: Key<[making: string, find: string]>;
  deskVouchers: Key<[part: "list", find: string] | [part: "campaigns"]>;
  deskAffiliates: Key<[part: "list", find: string] | [part: "payouts"]>;
  deskOrders: Key<[part: "list", choices: object] | [part: "one" | "events", id: string]>;
  deskFigures: Key<[what: string]>;
  deskInbox: Key<[part: "list", find: string, choices: object] | [part: "one", id: string]>;
  deskPeople: Key<
    [part: "list", find: string, kind: string] | [part: "one", id: string] | [part: "notes", userId: string]
  >;
  deskSystem: Key<[part: "state"] | [part: "files"] | [part: "read-back"] | [part: "outbox", kind: string]>;
  devices: Key<User>;
  deletionLosses: Key<User>;
  emailWishes: Key<[email: string]>;
  entries: Key<OfMemory>;
  firstMediaUrls: Key<OfMemory>;
  handover: Key<OfMemory>;
  handovers: Key<User>;
  hearts: Key<OfMemory>;
  invitations: Key<OfMemory>;
  letter: Key<[letterId: string, version: number]>;
  letters: Key<[memoryId: string, part: "list" | "answers"]>;
  linkedComment: Key<[memoryId: string, mediaId: string | null, commentId: string]>;
  pictureNames: Key<[accountIds: readonly string[]]>;
  mediaUrls: Key<[bucket: string, scope: string, objectNames: readonly string[]]>;
  mailedLink: Key<[token: string]>;
  memories: Key<[userId: string | null, part: "pages" | "count" | "kind" | "for-cards" | "shared", choice: object]>;
  memory: Key<OfMemory>;
  memoryDraft: Key<User>;
  memoryPeople: Key<OfMemory>;
  mediaNames: Key<OfMemory>;
  memoryReminders: Key<OfMemory>;
  memoryRights: Key<OfMemory>;
  memoryRoom: Key<[userId: string, round: number]>;
  metalCards: Key<User>;
  moderationQueue: Key<[memoryId: string, state: string]>;
  myInvitations: Key<User>;
  nameSuggestions: Key<[mediaId: string]>;
  noticePreference: Key<[userId: string, memoryId: string]>;
  noticeSettings: Key<User>;
  notices: Key<[userId: string, part: "list" | "unread" | "device"]>;
  order: Key<[id: string]>;
  orders: Key<User | [part: "one", userId: string, orderId: string] | [part: "cards", orderId: string]>;
  ownAdditions: Key<[memoryId: string, adderId: string]>;
  people: Key<OfMemory>;
  personElsewhere: Key<[memoryId: string, personIds: readonly string[]]>;
  photoOutline: Key<[memoryId: string, order: string]>;
  photoRows: Key<[memoryId: string, keys: readonly string[]]>;
  photos: Key<OfMemory>;
  picturedPeople: Key<OfMemory>;
  pictureRequests: Key<OfMemory>;
  ownPictureRequest: Key<[userId: string, mediaId: string]>;
  preparedDownload: Key<[what: object]>;
  prints: Key<OfMemory>;
  profile: Key<User>;
  prompts: Key<[memoryId: string, part: "list" | "answers"]>;
  providers: Key<[]>;
  reactions: Key<OfSubject>;
  slideshows: Key<[memoryId: string, part: "list" | "films"]>;
  scan: Key<[code: string, userId: string | null]>;
  secondFactors: Key<[]>;
  search: Key<[memoryId: string | null, find: string, kind: string | null]>;
  service: Key<OfMemory>;
  shareLinks: Key<
    | [part: "pages", kind: string, id: string, choice: { forCards: boolean }]
    | [part: "count", kind: string, id: string]
    | [part: "openings", linkId: string]
    | [part: "printed", memoryId: string]
    | [part: "devices", linkId: string, since: number]
  >;
  shareStillOpen: Key<
    [linkId: string, version: number, showsNames: boolean, moderated: boolean, devicesRemoved: number]
  >;
  storage: Key<[userId: string, part: "use" | "memories" | "activity"]>;
  stories: Key<OfMemory>;
  storyMedia: Key<[memoryId: string, ids: readonly string[] | "choices" | "choices with sounds"]>;
  streams: Key<OfMemory>;
  subscription: Key<[userId: string, part: "held" | "lapsed"]>;
  trash: Key<[userId: string, memoryId: string]>;
  uploadOccasion: Key<OfMemory>;
  waiting: Key<[]>;
  wall: Key<[memoryId: string, part: "own" | "contents" | "links", choice: object]>;
  whoQuestions: Key<OfMemory>;
}

/** The keys of all queries; each begins with the name of its function. */
export const queryKeys = new Proxy({} as QueryKeys, {
  get:
    (_keys, name) =>
    (...parts: unknown[]) => [name, ...parts],
});
