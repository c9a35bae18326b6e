import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** A function of the key's parts; without the last of them it gives what several keys begin with. */
const key =
  <Parts extends unknown[]>(...name: readonly string[]) =>
  (...parts: Partial<Parts>): QueryKey => [...name, ...parts];

type User = [userId: string];
type OfMemory = [memoryId: string];
type OfSubject = [memoryId: string, mediaId: string | null];

/** The keys of all queries. */
export const queryKeys = {
  affiliate: key<User>("affiliate"),
  affiliateFigures: key<[affiliateId: string]>("affiliate", "figures"),
  album: key<[id: string]>("albums", "one"),
  albumMemories: key<[albumId: string]>("albums", "memories"),
  albumOfMemory: key<OfMemory>("albums", "of"),
  albumPhotos: key<[albumId: string]>("albums", "photos"),
  albums: key<[userId: string, "pages"]>("albums"),
  authCode: key<[code: string | null]>("auth code"),
  blocks: key<OfMemory>("blocks"),
  blog: key<[language: string]>("blog"),
  blogPost: key<[id: string, language: string]>("blog-post"),
  cart: key<User>("cart"),
  catalogue: key<[]>("catalogue"),
  comments: key<OfSubject>("comments"),
  credit: key<[mediaId: string]>("credit"),
  devices: key<User>("devices"),
  emailWishes: key<[email: string]>("email-wishes"),
  entries: key<OfMemory>("entries"),
  handover: key<OfMemory>("handover"),
  handovers: key<User>("handovers"),
  invitations: key<OfMemory>("invitations"),
  linkedComment: key<[memoryId: string, mediaId: string | null, commentId: string]>("thread-place"),
  mediaUrls: key<[bucket: string, scope: string, objectNames: readonly string[]]>("media-urls"),
  memories: key<[userId: string | null, part: "pages" | "count" | "kind" | "for-cards", choice: object]>("memories"),
  memory: key<OfMemory>("memory"),
  memoryDraft: key<User>("memory-draft"),
  memoryPeople: key<OfMemory>("memory-people"),
  memoryReminders: key<OfMemory>("memory-reminders"),
  memoryRights: key<OfMemory>("memory-rights"),
  memoryRoom: key<[userId: string, round: number]>("memory-room"),
  metalCards: key<User>("metal-cards"),
  moderationQueue: key<[memoryId: string, state: string]>("moderation-queue"),
  myInvitations: key<User>("my-invitations"),
  noticePreference: key<[userId: string, memoryId: string]>("notice-preference"),
  noticeSettings: key<User>("notice-settings"),
  notices: key<[userId: string, part: "list" | "unread"]>("notices"),
  order: key<[id: string]>("order"),
  orderCards: key<[orderId: string]>("orders", "cards"),
  orders: key<User>("orders"),
  ownAdditions: key<[memoryId: string, adderId: string]>("own-additions"),
  ownOrder: key<[userId: string, orderId: string]>("orders", "one"),
  people: key<OfMemory>("people"),
  photos: key<OfMemory>("photos"),
  plans: key<[]>("plans"),
  preparedDownload: key<[what: object]>("prepared-download"),
  profile: key<User>("profile"),
  providers: key<[]>("providers"),
  reactions: key<OfSubject>("reactions"),
  scan: key<[code: string, userId: string | null]>("scan"),
  secondFactors: key<[]>("second factors"),
  shareLinkCount: key<[kind: string, id: string]>("share-links", "count"),
  shareLinkPages: key<[kind: string, id: string, choice: { forCards: boolean }]>("share-links", "pages"),
  shareLinks: key<[]>("share-links"),
  shareOpenings: key<[linkId: string]>("share-links", "openings"),
  shareStillOpen: key<[linkId: string, version: number, showsNames: boolean, moderated: boolean]>("still-open"),
  storage: key<[userId: string, part: "use" | "memories" | "activity"]>("storage"),
  stories: key<OfMemory>("stories"),
  storyMedia: key<[memoryId: string, ids: readonly string[] | "choices"]>("story-media"),
  subscription: key<[userId: string, part: "held" | "lapsed"]>("subscription"),
  trash: key<[userId: string, memoryId: string]>("trash"),
  waiting: key<[]>("waiting"),
};

/** Has what is shown under these keys, and under those that begin like them, read again. */
export const refresh = (cache: QueryClient, ...keys: readonly QueryKey[]) =>
  Promise.all(keys.map((queryKey) => cache.invalidateQueries({ queryKey })));
