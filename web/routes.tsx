import { createBrowserRouter, type RouteObject } from "react-router";
import { NotFound } from "./layout/NotFound.tsx";
import { RequireSession } from "./layout/RequireSession.tsx";
import { RouteError } from "./layout/RouteError.tsx";
import { Shell } from "./layout/Shell.tsx";
import { StartPage } from "./pages/StartPage.tsx";
import { Loading } from "./ui/Loading.tsx";

type Page = { default: React.ComponentType };

/** A page in a chunk of its own, loaded when it is first visited. */
const page = (load: () => Promise<Page>) => async () => ({ Component: (await load()).default });

/** Every URL, one line each. */
export const routes: RouteObject[] = [
  {
    element: <Shell />,
    errorElement: <RouteError />,
    hydrateFallbackElement: <Loading full />,
    children: [
      // Spec §2: any failure of "/" falls back to the not-found view.
      { path: "/", element: <StartPage />, errorElement: <NotFound /> },
      { path: "/home", lazy: page(() => import("./pages/HomePage.tsx")) },
      { path: "/about", lazy: page(() => import("./pages/AboutPage.tsx")) },
      { path: "/get-started", lazy: page(() => import("./pages/GetStartedPage.tsx")) },
      { path: "/privacy", lazy: page(() => import("./pages/PrivacyPage.tsx")) },
      { path: "/terms", lazy: page(() => import("./pages/TermsPage.tsx")) },
      { path: "/contact-us", lazy: page(() => import("./pages/ContactPage.tsx")) },
      { path: "/blog", lazy: page(() => import("./pages/BlogPage.tsx")) },
      { path: "/blog/:id", lazy: page(() => import("./pages/BlogPostPage.tsx")) },
      { path: "/pricing", lazy: page(() => import("./pages/PricingPage.tsx")) },
      { path: "/affiliates", lazy: page(() => import("./pages/AffiliatesPage.tsx")) },
      { path: "/login", lazy: page(() => import("./pages/LoginPage.tsx")) },
      { path: "/register", lazy: page(() => import("./pages/RegisterPage.tsx")) },
      { path: "/forgotten-password", lazy: page(() => import("./pages/ForgottenPasswordPage.tsx")) },
      { path: "/new-password", lazy: page(() => import("./pages/NewPasswordPage.tsx")) },
      { path: "/notices/stop", lazy: page(() => import("./pages/StopNoticesPage.tsx")) },
      { path: "/unsubscribe", lazy: page(() => import("./pages/UnsubscribePage.tsx")) },
      { path: "/shop", lazy: page(() => import("./pages/ShopPage.tsx")) },
      { path: "/c/:code", lazy: page(() => import("./pages/CardScanPage.tsx")) },
      { path: "/auth/callback", lazy: page(() => import("./pages/CallbackPage.tsx")) },
      { path: "/shared/:shareId/:memoryId?", lazy: page(() => import("./pages/SharedPage.tsx")) },
      {
        element: <RequireSession />,
        children: [
          { path: "/profile", lazy: page(() => import("./pages/ProfilePage.tsx")) },
          { path: "/cart", lazy: page(() => import("./pages/CartPage.tsx")) },
          { path: "/checkout", lazy: page(() => import("./pages/CheckoutPage.tsx")) },
          { path: "/success", lazy: page(() => import("./pages/SuccessPage.tsx")) },
          { path: "/orders", lazy: page(() => import("./pages/OrdersPage.tsx")) },
          { path: "/orders/:orderId", lazy: page(() => import("./pages/OrderPage.tsx")) },
          { path: "/memory/new", lazy: page(() => import("./pages/NewMemoryPage.tsx")) },
          { path: "/memory/:id", lazy: page(() => import("./pages/MemoryPage.tsx")) },
          { path: "/memory/:id/waiting", lazy: page(() => import("./pages/ModerationPage.tsx")) },
          { path: "/groups", lazy: page(() => import("./pages/AlbumsPage.tsx")) },
          { path: "/groups/:id", lazy: page(() => import("./pages/AlbumPage.tsx")) },
          { path: "/subscribe", lazy: page(() => import("./pages/SubscribePage.tsx")) },
          { path: "/notices", lazy: page(() => import("./pages/NoticesPage.tsx")) },
          { path: "/cards", lazy: page(() => import("./pages/CardsPage.tsx")) },
          { path: "/cards/:id", lazy: page(() => import("./pages/PersonaliseCardPage.tsx")) },
          { path: "/dashboard", lazy: page(() => import("./pages/DashboardPage.tsx")) },
        ],
      },
      { path: "*", element: <NotFound /> },
    ],
  },
];

export const createRouter = () => createBrowserRouter(routes);
