import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode, useState } from "react";
import { RouterProvider } from "react-router";
import { REFERRAL_PARAMETER } from "../shared/commission.ts";
import { SessionProvider } from "./features/account/SessionProvider.tsx";
import { VoucherProvider } from "./features/vouchers/VoucherProvider.tsx";
import { pageViewed } from "./lib/browser/analytics.ts";
import { connectNavigation } from "./lib/browser/navigation.ts";
import { paths } from "./paths.ts";
import { createRouter } from "./routes.tsx";

/** The app with everything it stands on. Rendered once, after the settings are known. */
export function App() {
  const [queries] = useState(
    () => new QueryClient({ defaultOptions: { queries: { staleTime: 30_000, retry: false } } }),
  );
  const [router] = useState(openRouter);
  return (
    <StrictMode>
      <QueryClientProvider client={queries}>
        <SessionProvider>
          <VoucherProvider>
            <RouterProvider router={router} />
          </VoucherProvider>
        </SessionProvider>
      </QueryClientProvider>
    </StrictMode>
  );
}

// Read before the first page leads on to another; what is done with it is asked of few, and fetched for them alone.
const recommendedBy = new URLSearchParams(location.search).get(REFERRAL_PARAMETER);
if (recommendedBy) {
  void import("./data/track-referral.ts").then(({ arrive }) => arrive(recommendedBy)).catch(() => {});
}

function openRouter() {
  const router = createRouter();
  connectNavigation({ goTo: (path) => void router.navigate(path), login: paths.login() });
  let viewed = "";
  const report = ({ location, matches }: typeof router.state) => {
    if (location.key === viewed) return;
    viewed = location.key;
    pageViewed(matches.at(-1)?.route.path ?? location.pathname);
  };
  report(router.state);
  router.subscribe((state) => state.navigation.state === "idle" && report(state));
  return router;
}
