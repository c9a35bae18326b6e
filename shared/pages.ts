/** The preview of a page in search engines and messengers. */
export interface PageText {
  title: string;
  description: string;
}

/**
 * A page of the app. `public`: the same for every visitor, and search engines may index it. `gate`: the page
 * of a share link. `app`: for signed-in people; others are offered to sign in. `desk`: for staff.
 */
export interface Page {
  /** The pattern of its path. */
  path: string;
  /** Its component's file in `web/pages`, without the ending. */
  file: string;
  kind: "public" | "gate" | "app" | "desk";
  /** A page of the app that needs no sign-in, e.g. to sign in, or on a screen with a live wall. */
  open?: true;
  /** Loads the page without the query client. Its parts that read data load the client themselves. */
  plain?: true;
  /** Renders the page without header, footer and notifications. */
  bare?: true;
  /** A page that few people open, e.g. one for managers: its import is in a file of its own, like those of the desk, for fewer bytes of the first script. */
  rare?: true;
  /** Shows public rows, with which the server renders it. */
  rows?: true;
  /** Its preview in each language; a blog post has its own. */
  card?: { en: PageText; it: PageText };
}

/** The card of the home page. */
export const HOME_CARD = {
  en: {
    title: "Skies · Your Private Memory Portal",
    description: "Keep the photos, videos and stories of the people and days you love, and share them privately.",
  },
  it: {
    title: "Skies · Il tuo portale privato dei ricordi",
    description: "Custodisci foto, video e storie delle persone e dei giorni che ami, e condividili in privato.",
  },
} as const;

/**
 * Every page: the router, the server's patterns, previews, the sitemap, prerendering, weights and the test of all
 * screens read this list. It is no part of the web app's code: the build makes the routes of it, because each byte of
 * the first script delays every page.
 */
const list = [
  { path: "/", file: "StartPage", kind: "public", plain: true, card: HOME_CARD },
  { path: "/home", file: "HomePage", kind: "public", plain: true, card: HOME_CARD },
  {
    path: "/about",
    file: "AboutPage",
    kind: "public",
    plain: true,
    card: {
      en: { title: "About · Skies", description: "Who makes Skies, why, and what it promises to families." },
      it: { title: "Chi siamo · Skies", description: "Chi crea Skies, perché, e che cosa promette alle famiglie." },
    },
  },
  {
    path: "/get-started",
    file: "GetStartedPage",
    kind: "public",
    plain: true,
    card: {
      en: { title: "Get started · Skies", description: "Choose what you would like to keep, and begin for free." },
      it: { title: "Per iniziare · Skies", description: "Scegli che cosa vuoi custodire e inizia gratis." },
    },
  },
  {
    path: "/privacy",
    file: "PrivacyPage",
    kind: "public",
    plain: true,
    card: {
      en: {
        title: "Privacy policy · Skies",
        description: "What is stored, who can see it, for how long, and your rights.",
      },
      it: {
        title: "Privacy · Skies",
        description: "Che cosa viene conservato, chi può vederlo, per quanto tempo, e i tuoi diritti.",
      },
    },
  },
  {
    path: "/terms",
    file: "TermsPage",
    kind: "public",
    plain: true,
    card: {
      en: {
        title: "Terms and conditions · Skies",
        description: "The contract between you and whoever runs this site.",
      },
      it: { title: "Termini e condizioni · Skies", description: "Il contratto tra te e chi gestisce questo sito." },
    },
  },
  {
    path: "/contact-us",
    file: "ContactPage",
    kind: "public",
    card: {
      en: { title: "Contact us · Skies", description: "Ask us anything. A person reads every message." },
      it: {
        title: "Contattaci · Skies",
        description: "Chiedici quello che vuoi. Ogni messaggio viene letto da una persona.",
      },
    },
  },
  {
    path: "/help",
    file: "HelpPage",
    kind: "public",
    plain: true,
    card: {
      en: { title: "Help · Skies", description: "Answers to what people ask most about keeping and sharing memories." },
      it: {
        title: "Aiuto · Skies",
        description: "Le risposte alle domande più frequenti su come custodire e condividere.",
      },
    },
  },
  {
    path: "/blog",
    file: "BlogPage",
    kind: "public",
    rows: true,
    card: {
      en: { title: "Blog · Skies", description: "How families gather photos, tell stories and keep them." },
      it: {
        title: "Blog · Skies",
        description: "Come le famiglie raccolgono foto, raccontano storie e le custodiscono.",
      },
    },
  },
  { path: "/blog/:id", file: "BlogPostPage", kind: "public", rows: true },
  {
    path: "/pricing",
    file: "PricingPage",
    kind: "public",
    rows: true,
    card: {
      en: {
        title: "Pricing · Skies",
        description: "What Skies costs: one memory is free, and no plan renews by itself.",
      },
      it: {
        title: "Prezzi · Skies",
        description: "Quanto costa Skies: un ricordo è gratuito e nessun piano si rinnova da solo.",
      },
    },
  },
  {
    path: "/affiliates",
    file: "AffiliatesPage",
    kind: "public",
    rows: true,
    card: {
      en: { title: "Affiliates · Skies", description: "Recommend Skies and receive a share of each purchase." },
      it: { title: "Affiliati · Skies", description: "Consiglia Skies e ricevi una quota di ogni acquisto." },
    },
  },
  { path: "/login", file: "LoginPage", kind: "app", open: true },
  { path: "/register", file: "RegisterPage", kind: "app", open: true },
  { path: "/forgotten-password", file: "ForgottenPasswordPage", kind: "app", open: true, rare: true },
  { path: "/new-password", file: "NewPasswordPage", kind: "app", open: true, rare: true },
  { path: "/notices/stop", file: "StopNoticesPage", kind: "app", open: true, rare: true },
  { path: "/unsubscribe", file: "UnsubscribePage", kind: "app", open: true, rare: true },
  {
    path: "/shop",
    file: "ShopPage",
    kind: "public",
    rows: true,
    card: {
      en: {
        title: "Metal cards · Skies",
        description: "A metal card, engraved with a name and a code that opens a memory.",
      },
      it: {
        title: "Targhette in metallo · Skies",
        description: "Una targhetta incisa con un nome e un codice che apre un ricordo.",
      },
    },
  },
  { path: "/c/:code", file: "CardScanPage", kind: "app", open: true },
  { path: "/auth/callback", file: "CallbackPage", kind: "app", open: true },
  { path: "/auth/link", file: "LinkPage", kind: "app", open: true },
  { path: "/shared/:shareId/:memoryId?", file: "SharedPage", kind: "gate", plain: true },
  { path: "/wall/:wallId", file: "WallPage", kind: "app", open: true, plain: true, bare: true },
  { path: "/answer", file: "AnswerPage", kind: "app", open: true, bare: true, rare: true },
  { path: "/profile", file: "ProfilePage", kind: "app" },
  { path: "/cart", file: "CartPage", kind: "app" },
  { path: "/checkout", file: "CheckoutPage", kind: "app", rare: true },
  { path: "/success", file: "SuccessPage", kind: "app", rare: true },
  { path: "/orders", file: "OrdersPage", kind: "app", rare: true },
  { path: "/orders/:orderId", file: "OrderPage", kind: "app", rare: true },
  { path: "/memory/new", file: "NewMemoryPage", kind: "app" },
  { path: "/memory/:id", file: "MemoryPage", kind: "app" },
  { path: "/memory/:id/waiting", file: "ModerationPage", kind: "app", rare: true },
  { path: "/memory/:id/print", file: "PrintPage", kind: "app", rare: true },
  { path: "/memory/:id/service", file: "ServicePage", kind: "app", rare: true },
  { path: "/memory/:id/slideshows", file: "SlideshowsPage", kind: "app", rare: true },
  { path: "/memory/:id/questions", file: "QuestionsPage", kind: "app", rare: true },
  { path: "/groups", file: "AlbumsPage", kind: "app" },
  { path: "/groups/:id", file: "AlbumPage", kind: "app" },
  { path: "/subscribe", file: "SubscribePage", kind: "app", rare: true },
  { path: "/notices", file: "NoticesPage", kind: "app", rare: true },
  { path: "/add", file: "AddPage", kind: "app", rare: true },
  { path: "/search", file: "SearchPage", kind: "app" },
  { path: "/cards", file: "CardsPage", kind: "app" },
  { path: "/cards/:id", file: "PersonaliseCardPage", kind: "app", rare: true },
  { path: "/dashboard", file: "DashboardPage", kind: "app" },
  { path: "/admin", file: "admin/OverviewPage", kind: "desk" },
  { path: "/admin/orders", file: "admin/OrdersPage", kind: "desk" },
  { path: "/admin/orders/:id", file: "admin/OrderPage", kind: "desk" },
  { path: "/admin/cards", file: "admin/CardsPage", kind: "desk" },
  { path: "/admin/catalogue", file: "admin/CataloguePage", kind: "desk" },
  { path: "/admin/affiliates", file: "admin/AffiliatesPage", kind: "desk" },
  { path: "/admin/people", file: "admin/PeoplePage", kind: "desk" },
  { path: "/admin/people/:id", file: "admin/PersonPage", kind: "desk" },
  { path: "/admin/inbox", file: "admin/InboxPage", kind: "desk" },
  { path: "/admin/inbox/:id", file: "admin/InboxItemPage", kind: "desk" },
  { path: "/admin/blog", file: "admin/PostsPage", kind: "desk" },
  { path: "/admin/blog/:slug", file: "admin/PostPage", kind: "desk" },
  { path: "/admin/system", file: "admin/SystemPage", kind: "desk" },
  { path: "/admin/audit", file: "admin/AuditPage", kind: "desk" },
  { path: "*", file: "NotFoundPage", kind: "public", plain: true },
] as const satisfies readonly Page[];

/** {@link list}, without the exact type of each row. */
export const pages: readonly Page[] = list;

/** The path patterns of all pages; one with an optional end counts as two. */
export const pagePatterns: readonly string[] = pages.flatMap(({ path }) => {
  const [whole, before] = /^(.+)\/:\w+\?$/.exec(path) ?? [];
  return whole && before ? [before, whole.slice(0, -1)] : [path];
});

/** The paths of pages that the server renders with public rows. */
export type PathWithRows = Extract<(typeof list)[number], { rows: true }>["path"];
