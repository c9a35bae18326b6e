import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, StrictMode, useState } from "react";
import { SessionProvider } from "./features/account/SessionProvider.tsx";
import { VoucherProvider } from "./features/vouchers/VoucherProvider.tsx";

/** Everything that the app's pages stand on. Rendered once, after the settings are known. */
export function App({ children }: { children: ReactNode }) {
  const [queries] = useState(
    () => new QueryClient({ defaultOptions: { queries: { staleTime: 30_000, retry: false } } }),
  );
  return (
    <StrictMode>
      <QueryClientProvider client={queries}>
        <SessionProvider>
          <VoucherProvider>{children}</VoucherProvider>
        </SessionProvider>
      </QueryClientProvider>
    </StrictMode>
  );
}
