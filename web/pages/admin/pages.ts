// Imports of the staff pages. They are not in web/routes.tsx, because every visitor loads that file.
export const Affiliates = () => import("./AffiliatesPage.tsx");
export const Audit = () => import("./AuditPage.tsx");
export const Cards = () => import("./CardsPage.tsx");
export const Catalogue = () => import("./CataloguePage.tsx");
export const Inbox = () => import("./InboxPage.tsx");
export const InboxItem = () => import("./InboxItemPage.tsx");
export const Order = () => import("./OrderPage.tsx");
export const Orders = () => import("./OrdersPage.tsx");
export const Overview = () => import("./OverviewPage.tsx");
export const People = () => import("./PeoplePage.tsx");
export const Person = () => import("./PersonPage.tsx");
export const Post = () => import("./PostPage.tsx");
export const Posts = () => import("./PostsPage.tsx");
export const System = () => import("./SystemPage.tsx");
