/** The parameter of a memory's URL that names the people whose photos are shown. */
export const PEOPLE_PARAMETER = "people";

/** The query of a memory's URL that shows the photos that these people are in together. */
export const peopleSearch = (ids: readonly string[]) =>
  ids.length > 0 ? `?${new URLSearchParams({ [PEOPLE_PARAMETER]: ids.join(" ") })}` : "";

/** All URLs of the app. Components contain no URLs of their own. */
export const paths = {
  start: () => "/",
  home: () => "/home",
  login: () => "/login",
  register: (email?: string) => (email ? `/register?email=${encodeURIComponent(email)}` : "/register"),
  forgottenPassword: () => "/forgotten-password",
  newPassword: () => "/new-password",
  /** The return URL for links in emails and for sign-in providers. */
  authCallback: (purpose: string) => `/auth/callback?for=${encodeURIComponent(purpose)}`,
  /** The profile, at one of its sections. */
  profile: (section?: string) => `/profile${section ? `#${section}` : ""}`,
  dashboard: () => "/dashboard",
  /** The trash on the dashboard. */
  trash: () => "/dashboard#trash",
  /** The person's plan, and the plans to buy. */
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
  /** An affiliate's link: the first page with a referral code. */
  recommended: (code: string) => `/?ref=${encodeURIComponent(code)}`,
  orders: () => "/orders",
  order: (id: string) => `/orders/${encodeURIComponent(id)}`,
  cart: () => "/cart",
  checkout: () => "/checkout",
  cards: () => "/cards",
  /** The page for personalising a card. */
  card: (id: string) => `/cards/${encodeURIComponent(id)}`,
  /** The target of a card's engraved QR code. It must never change. */
  scanned: (code: string) => `/c/${encodeURIComponent(code)}`,
  /** The return URL after a payment. */
  success: (orderId?: string) => (orderId ? `/success?order=${encodeURIComponent(orderId)}` : "/success"),
  newMemory: (kind?: "tribute" | "event") => (kind ? `/memory/new?kind=${kind}` : "/memory/new"),
  memory: (id: string) => `/memory/${encodeURIComponent(id)}`,
  /** Puts files that another app has shared into a memory. */
  add: () => "/add",
  /** The memory that was opened last in this browser: a shortcut of the app on the home screen. */
  lastMemory: () => "/memory/last",
  /** A memory's items that wait for approval or are hidden. */
  waiting: (id: string) => `${paths.memory(id)}/waiting`,
  /** Printed cards and signs of a memory, at one of their formats. */
  printing: (id: string, format?: "places") => `${paths.memory(id)}/print${format ? `?format=${format}` : ""}`,
  /** A memory's order of service. */
  service: (id: string) => `${paths.memory(id)}/service`,
  /** A memory's slideshows, for its managers. */
  slideshows: (id: string) => `${paths.memory(id)}/slideshows`,
  /** The questions about a memory's photos to people outside, with their answers. */
  questions: (id: string) => `${paths.memory(id)}/questions`,
  /** A memory with one of its photos or videos open. */
  photo: (memoryId: string, id: string) => `${paths.memory(memoryId)}?photo=${encodeURIComponent(id)}`,
  /** A memory with the back of a print open. */
  back: (memoryId: string, id: string) => `${paths.photo(memoryId, id)}&side=back`,
  /** A memory at one of its comments; with `photoId`, that photo at one of its comments. */
  comment: (memoryId: string, id: string, photoId?: string) =>
    `${photoId === undefined ? paths.memory(memoryId) : paths.photo(memoryId, photoId)}#comment-${encodeURIComponent(id)}`,
  /** A memory at one of its stories. */
  story: (memoryId: string, id: string) => `${paths.memory(memoryId)}#story-${encodeURIComponent(id)}`,
  /** A memory at one of its moments. */
  moment: (memoryId: string, id: string) => `${paths.memory(memoryId)}#moment-${encodeURIComponent(id)}`,
  /** A memory with the photos of a person. */
  person: (memoryId: string, id: string) => `${paths.memory(memoryId)}${peopleSearch([id])}#photos`,
  search: (text = "") => (text ? `/search?q=${encodeURIComponent(text)}` : "/search"),
  /** The desk, for staff; without a section, the overview. */
  admin: (section?: string, id?: string) => ["/admin", section, id && encodeURIComponent(id)].filter(Boolean).join("/"),
  notices: () => "/notices",
  /** The notification settings on the profile. */
  noticeSettings: () => "/profile#notices",
  albums: () => "/groups",
  album: (id: string) => `/groups/${encodeURIComponent(id)}`,
  /** A share link; with `memoryId`, that memory of the album that it opens. */
  shared: (shareId: string, memoryId?: string) =>
    `/shared/${encodeURIComponent(shareId)}${memoryId === undefined ? "" : `/${encodeURIComponent(memoryId)}`}`,
  /** A live wall, on a screen in a room. */
  wall: (wallId: string) => `/wall/${encodeURIComponent(wallId)}`,
  /** The link of a person who is asked about photos. Browsers do not send the fragment, so no request URL contains the key. */
  answer: (key: string) => `/answer#${key}`,
  /** The link in an invitation's email. Browsers do not send the fragment, so no request URL contains the token. */
  invited: (shareId: string, token: string) => `${paths.shared(shareId)}#invitation=${encodeURIComponent(token)}`,
};

/** The pages about Skies, in the order of the navigation; `text` is a key of `layout`. */
export const siteLinks = [
  { text: "pricing", to: paths.pricing() },
  { text: "about", to: paths.about() },
  { text: "blog", to: paths.blog() },
] as const;

/** The last link in every menu. The help button in the corner and the footer lead to the same answers. */
export const helpLink = { text: "help", to: paths.help() } as const;
