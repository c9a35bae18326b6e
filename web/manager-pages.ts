// Imports of the pages of a memory's managers. They are not in web/routes.tsx, because every visitor loads that file.
export const Moderation = () => import("./pages/ModerationPage.tsx");
export const Print = () => import("./pages/PrintPage.tsx");
export const Service = () => import("./pages/ServicePage.tsx");
export const Slideshows = () => import("./pages/SlideshowsPage.tsx");
