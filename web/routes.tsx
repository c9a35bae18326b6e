import { lazy } from "react";
import { createBrowserRouter, type RouteObject } from "react-router";
import { withPlaces } from "./features/memories/memory-places.tsx";
import { Members } from "./layout/Members.tsx";
import { NotFound } from "./layout/NotFound.tsx";
import { Oops } from "./layout/Oops.tsx";
import { Preferences } from "./layout/Preferences.tsx";
import { Shell } from "./layout/Shell.tsx";
import { Start } from "./layout/Start.tsx";
import { lazyPart } from "./lib/lazy-part.ts";
import { Loading } from "./ui/Loading.tsx";

type Page = { default: React.ComponentType };

/** A screen in a chunk of its own, loaded when it is first visited. */
const page = (load: () => Promise<Page>) => async () => ({ Component: (await load()).default });

// What stands behind a share's door is only fetched once the door is open.
const SharedPlace = lazy(() => import("./features/memories/SharedPlace.tsx"));

// Loaded for those who come to a memory that they cannot see, and for nobody else.
const InvitedOrMissing = lazyPart(() => import("./features/people/InvitedOrMissing.tsx"));
const ReportButton = lazyPart(() => import("./features/reports/ReportButton.tsx"));

const isMember = (role: string | null) => role !== null && role !== "visitor";

/** What other features put on a memory's page, and for whom. */
const MemoryPages = withPlaces({
  underHead: [
    { Content: lazyPart(() => import("./features/comments/Candle.tsx")) },
    {
      Content: lazyPart(() => import("./features/people/HandoverOffer.tsx")),
      shows: ({ rights }) => isMember(rights.role) && !rights.own,
    },
  ],
  besidePhotos: [{ Content: lazyPart(() => import("./features/comments/Conversation.tsx")) }],
  atEnd: [
    {
      Content: lazyPart(() => import("./features/trash/TrashButton.tsx")),
      shows: ({ rights }) => isMember(rights.role) && rights.contribute,
    },
    { Content: ReportButton },
  ],
  underTaking: ReportButton,
  photoTalk: {
    Button: lazyPart(() => import("./features/comments/PhotoTalkButton.tsx")),
    Panel: lazyPart(() => import("./features/comments/PhotoTalk.tsx")),
  },
  underName: [
    { Content: lazyPart(() => import("./features/moderation/WaitingButton.tsx")), shows: ({ rights }) => rights.keep },
    { Content: lazyPart(() => import("./features/sharing/ShareButton.tsx")), shows: ({ rights }) => rights.keep },
    {
      Content: lazyPart(() => import("./media/downloads/DownloadButton.tsx")),
      shows: ({ rights }) => rights.download,
    },
    {
      Content: lazyPart(() => import("./features/people/PeopleButton.tsx")),
      shows: ({ rights }) => isMember(rights.role),
    },
    {
      Content: lazyPart(() => import("./features/notices/MemoryNoticesButton.tsx")),
      shows: ({ rights }) => isMember(rights.role),
    },
  ],
});

/** Every URL, one lazy line each. A route inside a page fills the place that the page leaves to another feature. */
export const routes: RouteObject[] = [
  {
    element: <Shell />,
    errorElement: <Oops />,
    hydrateFallbackElement: <Loading full />,
    children: [
      // Spec §2: any failure of "/" falls back to the not-found view.
      { path: "/", element: <Start />, errorElement: <NotFound /> },
      { path: "/home", lazy: page(() => import("./features/home/HomePage.tsx")) },
      {
        path: "/pricing",
        lazy: page(() => import("./features/plans/PricingPage.tsx")),
        children: [{ index: true, lazy: page(() => import("./layout/VisitorBar.tsx")) }],
      },
      {
        path: "/affiliates",
        lazy: page(() => import("./features/affiliates/AffiliatesPage.tsx")),
        children: [{ index: true, lazy: page(() => import("./layout/VisitorBar.tsx")) }],
      },
      { path: "/login", lazy: page(() => import("./features/account/LoginPage.tsx")) },
      { path: "/register", lazy: page(() => import("./features/account/RegisterPage.tsx")) },
      { path: "/forgotten-password", lazy: page(() => import("./features/account/ForgottenPasswordPage.tsx")) },
      { path: "/new-password", lazy: page(() => import("./features/account/NewPasswordPage.tsx")) },
      { path: "/notices/stop", lazy: page(() => import("./features/notices/StopNoticesPage.tsx")) },
      { path: "/unsubscribe", lazy: page(() => import("./features/people/UnsubscribePage.tsx")) },
      { path: "/shop", lazy: page(() => import("./features/cards/shop/ShopPage.tsx")) },
      { path: "/c/:code", lazy: page(() => import("./features/cards/scan/CardScanPage.tsx")) },
      { path: "/auth/callback", lazy: page(() => import("./features/account/CallbackPage.tsx")) },
      {
        element: <Members />,
        children: [
          {
            path: "/profile",
            lazy: page(() => import("./features/account/profile/ProfilePage.tsx")),
            children: [{ index: true, Component: Preferences }],
          },
          { path: "/cart", lazy: page(() => import("./features/cart/CartPage.tsx")) },
          { path: "/checkout", lazy: page(() => import("./features/cart/CheckoutPage.tsx")) },
          { path: "/success", lazy: page(() => import("./features/cart/SuccessPage.tsx")) },
          { path: "/orders", lazy: page(() => import("./features/orders/OrdersPage.tsx")) },
          { path: "/orders/:orderId", lazy: page(() => import("./features/orders/OrderPage.tsx")) },
          { path: "/memory/new", lazy: page(() => import("./features/memories/NewMemoryPage.tsx")) },
          { path: "/memory/:id/waiting", lazy: page(() => import("./features/moderation/WaitingPage.tsx")) },
          { path: "/groups", lazy: page(() => import("./features/albums/AlbumsPage.tsx")) },
          {
            path: "/groups/:id",
            lazy: page(() => import("./features/albums/AlbumPage.tsx")),
            children: [{ index: true, lazy: page(() => import("./features/sharing/ShareAlbumButton.tsx")) }],
          },
          { path: "/subscribe", lazy: page(() => import("./features/plans/SubscribePage.tsx")) },
          { path: "/notices", lazy: page(() => import("./features/notices/NoticesPage.tsx")) },
          { path: "/cards", lazy: page(() => import("./features/cards/CardsPage.tsx")) },
          { path: "/cards/:id", lazy: page(() => import("./features/cards/PersonaliseCardPage.tsx")) },
          {
            path: "/dashboard",
            lazy: page(() => import("./features/dashboard/DashboardPage.tsx")),
            children: [{ index: true, lazy: page(() => import("./features/trash/TrashSection.tsx")) }],
          },
          {
            lazy: page(() => import("./features/dashboard/StorageNotices.tsx")),
            children: [
              {
                Component: MemoryPages,
                children: [
                  {
                    path: "/memory/:id",
                    lazy: page(() => import("./features/memories/MemoryPage.tsx")),
                    children: [{ index: true, Component: InvitedOrMissing }],
                  },
                ],
              },
            ],
          },
        ],
      },
      {
        Component: MemoryPages,
        children: [
          {
            path: "/shared/:shareId",
            lazy: page(() => import("./features/sharing/SharedPage.tsx")),
            children: [
              { index: true, Component: SharedPlace },
              { path: ":memoryId", Component: SharedPlace },
            ],
          },
        ],
      },
      { path: "*", element: <NotFound /> },
    ],
  },
];

export const createRouter = () => createBrowserRouter(routes);
