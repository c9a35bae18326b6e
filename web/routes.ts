import { routes as built } from "virtual:routes";
import type { ComponentType } from "react";

/** A route whose page is a separate chunk, loaded at the first visit. The fields are those of `shared/pages.ts`. */
export interface Route {
  path: string;
  load: () => Promise<{ default: ComponentType }>;
  /** Offers visitors to sign in or register. */
  signedIn?: true;
  plain?: true;
  bare?: true;
}

/** The routes of all pages in `shared/pages.ts`; the build makes them (`scripts/setup/pages.mjs`). */
export const routes: Route[] = built;

/** The routes that show offline copies themselves. */
const COPIED = /^\/(shared|memory\/:id$)/;

/** The route to show instead of another one without a network. */
export const offlineRoute = (route: Route): Route =>
  COPIED.test(route.path) ? route : { path: route.path, load: () => import("./layout/OfflinePage.tsx"), plain: true };
