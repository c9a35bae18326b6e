import { QueryClientContext } from "@tanstack/react-query";
import { type ReactNode, StrictMode } from "react";
import { SessionProvider } from "./features/account/SessionProvider.tsx";
import { VoucherProvider } from "./features/vouchers/VoucherProvider.tsx";
import { PartProblem } from "./layout/PartProblem.tsx";
import { PartProblem as PartProblemContext } from "./lib/browser/part-boundary.ts";
import { useLoadedQueries } from "./lib/request/queries.ts";

/** The providers around all pages. Rendered once the settings are known. */
export function App({ children }: { children: ReactNode }) {
  return (
    <StrictMode>
      <QueryClientContext value={useLoadedQueries()}>
        <PartProblemContext value={PartProblem}>
          <SessionProvider>
            <VoucherProvider>{children}</VoucherProvider>
          </SessionProvider>
        </PartProblemContext>
      </QueryClientContext>
    </StrictMode>
  );
}
