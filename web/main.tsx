import "./styles.css";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router";
import { SessionProvider } from "./features/account/SessionProvider.tsx";
import { setUpLanguage } from "./i18n/setup.ts";
import { loadConfig } from "./lib/config.ts";
import { navigateWith } from "./lib/navigation.ts";
import { createRouter } from "./routes.tsx";
import { TooltipProvider } from "./ui/Tooltip.tsx";
import { Toaster } from "./ui/toasts.tsx";

/** Spec §9: the app renders after 100 ms. */
const RENDER_AFTER_MS = 100;

async function start() {
  const root = createRoot(document.getElementById("root") as HTMLElement);
  await setUpLanguage();
  await Promise.all([loadConfig(), new Promise((resolve) => setTimeout(resolve, RENDER_AFTER_MS))]);
  const router = createRouter();
  navigateWith((path) => void router.navigate(path));
  root.render(
    <StrictMode>
      <QueryClientProvider client={new QueryClient()}>
        <TooltipProvider>
          <SessionProvider>
            <RouterProvider router={router} />
            <Toaster />
          </SessionProvider>
        </TooltipProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
}

start();
