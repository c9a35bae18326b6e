import type { ComponentType } from "react";

/** A route whose page is a separate chunk, loaded at the first visit. */
export interface Route {
  path: string;
  load: () => Promise<{ default: ComponentType }>;
  signedIn?: true;
  /** Loads the page without the query client. Its parts that read data load the client themselves. */
  plain?: true;
  /** Renders the page without header, footer and notifications. */
  bare?: true;
}

/** Loads a page of the desk. The list of these pages is a separate chunk, so that other pages do not load it. */
const desk = (page: keyof typeof import("./pages/admin/pages.ts")) => async () =>
  (await import("./pages/admin/pages.ts"))[page]();

/** Loads a page of a memory's managers. As with the desk, other pages do not load the list of these. */
const managers = (page: keyof typeof import("./manager-pages.ts")) => async () =>
  (await import("./manager-pages.ts"))[page]();

/** The routes that show offline copies themselves. */
const COPIED = /^\/(shared|memory\/:id$)/;

/** The route to show instead of another one without a network. */
export const offlineRoute = (route: Route): Route =>
  COPIED.test(route.path) ? route : { path: route.path, load: () => import("./layout/OfflinePage.tsx"), plain: true };

/** All routes, one per line. A route with `signedIn` offers visitors to sign in or register. */
export const routes: Route[] = [
  { path: "/", load: () => import("./pages/StartPage.tsx"), plain: true },
  { path: "/home", load: () => import("./pages/HomePage.tsx"), plain: true },
  { path: "/about", load: () => import("./pages/AboutPage.tsx"), plain: true },
  { path: "/get-started", load: () => import("./pages/GetStartedPage.tsx"), plain: true },
  { path: "/privacy", load: () => import("./pages/PrivacyPage.tsx"), plain: true },
  { path: "/terms", load: () => import("./pages/TermsPage.tsx"), plain: true },
  { path: "/contact-us", load: () => import("./pages/ContactPage.tsx") },
  { path: "/help", load: () => import("./pages/HelpPage.tsx"), plain: true },
  { path: "/blog", load: () => import("./pages/BlogPage.tsx") },
  { path: "/blog/:id", load: () => import("./pages/BlogPostPage.tsx") },
  { path: "/pricing", load: () => import("./pages/PricingPage.tsx") },
  { path: "/affiliates", load: () => import("./pages/AffiliatesPage.tsx") },
  { path: "/login", load: () => import("./pages/LoginPage.tsx") },
  { path: "/register", load: () => import("./pages/RegisterPage.tsx") },
  { path: "/forgotten-password", load: () => import("./pages/ForgottenPasswordPage.tsx") },
  { path: "/new-password", load: () => import("./pages/NewPasswordPage.tsx") },
  { path: "/notices/stop", load: () => import("./pages/StopNoticesPage.tsx") },
  { path: "/unsubscribe", load: () => import("./pages/UnsubscribePage.tsx") },
  { path: "/shop", load: () => import("./pages/ShopPage.tsx") },
  { path: "/c/:code", load: () => import("./pages/CardScanPage.tsx") },
  { path: "/auth/callback", load: () => import("./pages/CallbackPage.tsx") },
  { path: "/auth/link", load: () => import("./pages/LinkPage.tsx") },
  { path: "/shared/:shareId/:memoryId?", load: () => import("./pages/SharedPage.tsx"), plain: true },
  { path: "/wall/:wallId", load: () => import("./pages/WallPage.tsx"), plain: true, bare: true },
  { path: "/profile", load: () => import("./pages/ProfilePage.tsx"), signedIn: true },
  { path: "/cart", load: () => import("./pages/CartPage.tsx"), signedIn: true },
  { path: "/checkout", load: () => import("./pages/CheckoutPage.tsx"), signedIn: true },
  { path: "/success", load: () => import("./pages/SuccessPage.tsx"), signedIn: true },
  { path: "/orders", load: () => import("./pages/OrdersPage.tsx"), signedIn: true },
  { path: "/orders/:orderId", load: () => import("./pages/OrderPage.tsx"), signedIn: true },
  { path: "/memory/new", load: () => import("./pages/NewMemoryPage.tsx"), signedIn: true },
  { path: "/memory/:id", load: () => import("./pages/MemoryPage.tsx"), signedIn: true },
  { path: "/memory/:id/waiting", load: managers("Moderation"), signedIn: true },
  { path: "/memory/:id/print", load: managers("Print"), signedIn: true },
  { path: "/memory/:id/service", load: managers("Service"), signedIn: true },
  { path: "/memory/:id/slideshows", load: managers("Slideshows"), signedIn: true },
  { path: "/groups", load: () => import("./pages/AlbumsPage.tsx"), signedIn: true },
  { path: "/groups/:id", load: () => import("./pages/AlbumPage.tsx"), signedIn: true },
  { path: "/subscribe", load: () => import("./pages/SubscribePage.tsx"), signedIn: true },
  { path: "/notices", load: () => import("./pages/NoticesPage.tsx"), signedIn: true },
  { path: "/search", load: () => import("./pages/SearchPage.tsx"), signedIn: true },
  { path: "/cards", load: () => import("./pages/CardsPage.tsx"), signedIn: true },
  { path: "/cards/:id", load: () => import("./pages/PersonaliseCardPage.tsx"), signedIn: true },
  { path: "/dashboard", load: () => import("./pages/DashboardPage.tsx"), signedIn: true },
  { path: "/admin", load: desk("Overview") },
  { path: "/admin/orders", load: desk("Orders") },
  { path: "/admin/orders/:id", load: desk("Order") },
  { path: "/admin/cards", load: desk("Cards") },
  { path: "/admin/catalogue", load: desk("Catalogue") },
  { path: "/admin/affiliates", load: desk("Affiliates") },
  { path: "/admin/people", load: desk("People") },
  { path: "/admin/people/:id", load: desk("Person") },
  { path: "/admin/inbox", load: desk("Inbox") },
  { path: "/admin/inbox/:id", load: desk("InboxItem") },
  { path: "/admin/blog", load: desk("Posts") },
  { path: "/admin/blog/:slug", load: desk("Post") },
  { path: "/admin/system", load: desk("System") },
  { path: "/admin/audit", load: desk("Audit") },
  { path: "*", load: () => import("./pages/NotFoundPage.tsx"), plain: true },
];
