import { RequestError } from "../../../../shared/request-error.ts";
import { type FacebookSettings, facebook } from "./facebook.ts";
import { type OidcSettings, oidcProvider } from "./oidc.ts";
import type { Provider } from "./provider.ts";

/** Settings by the name that clients use: `google`, or `custom:…` for a provider that clients do not know. */
export type ProviderSettings = Record<string, OidcSettings | FacebookSettings>;

export type Providers = ReadonlyMap<string, Provider>;

/** Creates the providers. Throws if a provider's URL is not secure. Sends no request yet. */
export const openProviders = (settings: ProviderSettings): Providers =>
  new Map(
    Object.entries(settings).map(([name, one]): [string, Provider] => [
      name,
      one.kind === "oidc" ? oidcProvider(one) : facebook(one),
    ]),
  );

export function requireProvider(providers: Providers, name: string): Provider {
  const provider = providers.get(name);
  if (!provider) {
    throw new RequestError("validation_failed", { message: "Unsupported provider: provider is not enabled" });
  }
  return provider;
}
