/** Every link the app makes. No component spells a URL. */
export const paths = {
  start: () => "/",
  home: () => "/home",
  login: () => "/login",
  register: (email?: string) => (email ? `/register?email=${encodeURIComponent(email)}` : "/register"),
  forgottenPassword: () => "/forgotten-password",
  newPassword: () => "/new-password",
  /** Where mailed links and other providers lead back to, with what they were for. */
  authCallback: (purpose: string) => `/auth/callback?for=${encodeURIComponent(purpose)}`,
  profile: () => "/profile",
  dashboard: () => "/dashboard",
  /** What one has deleted, on the dashboard. */
  trash: () => "/dashboard#trash",
  /** A person's own plan, and every way to go on. */
  plans: () => "/subscribe",
  about: () => "/about",
  getStarted: () => "/get-started",
  privacy: () => "/privacy",
  terms: () => "/terms",
  contact: () => "/contact-us",
  help: () => "/help",
  blog: () => "/blog",
  /** A post by its slug or its id. */
  blogPost: (id: string) => `/blog/${encodeURIComponent(id)}`,
  pricing: () => "/pricing",
  shop: () => "/shop",
  affiliates: () => "/affiliates",
  /** What an affiliate shares: the first page, by way of their code. */
  recommended: (code: string) => `/?ref=${encodeURIComponent(code)}`,
  orders: () => "/orders",
  order: (id: string) => `/orders/${encodeURIComponent(id)}`,
  cart: () => "/cart",
  checkout: () => "/checkout",
  cards: () => "/cards",
  /** A card whose words are still to be written. */
  card: (id: string) => `/cards/${encodeURIComponent(id)}`,
  /** Where the code engraved on a card leads, as long as metal lasts. */
  scanned: (code: string) => `/c/${encodeURIComponent(code)}`,
  /** Where the payment leads back to, with the order it was for. */
  success: (orderId?: string) => (orderId ? `/success?order=${encodeURIComponent(orderId)}` : "/success"),
  newMemory: (kind?: "tribute" | "event") => (kind ? `/memory/new?kind=${kind}` : "/memory/new"),
  memory: (id: string) => `/memory/${encodeURIComponent(id)}`,
  /** What waits for a yes in a memory, and what is hidden. */
  waiting: (id: string) => `${paths.memory(id)}/waiting`,
  /** A memory with one of its photos or videos open. */
  photo: (memoryId: string, id: string) => `${paths.memory(memoryId)}?photo=${encodeURIComponent(id)}`,
  /** A memory at one of its comments, or one of its photos with what is said of it open there. */
  comment: (memoryId: string, id: string, photoId?: string) =>
    `${photoId === undefined ? paths.memory(memoryId) : paths.photo(memoryId, photoId)}#comment-${encodeURIComponent(id)}`,
  /** A memory at one of its stories. */
  story: (memoryId: string, id: string) => `${paths.memory(memoryId)}#story-${encodeURIComponent(id)}`,
  /** The desk of those who run Skies; without a section its first one. */
  admin: (section?: string, id?: string) => ["/admin", section, id && encodeURIComponent(id)].filter(Boolean).join("/"),
  notices: () => "/notices",
  /** How one wishes to be told, on the profile. */
  noticeSettings: () => "/profile#notices",
  albums: () => "/groups",
  album: (id: string) => `/groups/${encodeURIComponent(id)}`,
  /** What a link opens; with a memory's id, that one of the album it opens. */
  shared: (shareId: string, memoryId?: string) =>
    `/shared/${encodeURIComponent(shareId)}${memoryId === undefined ? "" : `/${encodeURIComponent(memoryId)}`}`,
  /** The same for the reader of an invitation's email. Its token is in no request: browsers keep what is behind the #. */
  invited: (shareId: string, token: string) => `${paths.shared(shareId)}#invitation=${encodeURIComponent(token)}`,
};

/** The pages about Skies, in the order of the navigation; `text` is a key of `layout`. */
export const siteLinks = [
  { text: "pricing", to: paths.pricing() },
  { text: "about", to: paths.about() },
  { text: "blog", to: paths.blog() },
] as const;

/** The last in every menu; the corner and the foot of a page lead to the same answers. */
export const helpLink = { text: "help", to: paths.help() } as const;
