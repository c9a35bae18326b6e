import type { FastifyPluginAsync } from "fastify";
import type { Provider } from "oidc-provider";
import { appleKey, CLIENTS } from "./clients.ts";
import { routes } from "./routes.ts";

/** Replaces the identity providers Google, Apple and Facebook. */
export interface Identity {
  /** The plugin to mount at /sandbox/identity. */
  routes: FastifyPluginAsync;
  issuer: string;
  google: { clientId: string; clientSecret: string };
  apple: { clientId: string; teamId: string; keyId: string; privateKey: string };
  /** `url` represents both of Facebook's hosts. */
  facebook: { clientId: string; clientSecret: string; url: string };
}

/** `issuer`: the URL at which the pages are mounted. `redirectUri`: the only allowed return URL. */
export function openIdentity({ issuer, redirectUri }: { issuer: string; redirectUri: string }): Identity {
  const key = appleKey(issuer);
  let opened: Promise<Provider> | undefined;
  // Loaded at the first request, because most runs of the server send none.
  const provider = () => {
    opened ??= import("./provider.ts").then(({ openProvider }) => openProvider({ issuer, redirectUri, apple: key }));
    return opened;
  };
  const { google, apple, facebook } = CLIENTS;
  return {
    routes: routes(provider),
    issuer,
    google: { clientId: google.id, clientSecret: google.secret },
    apple: { clientId: apple.id, teamId: apple.teamId, keyId: apple.keyId, privateKey: key.privateKey },
    facebook: { clientId: facebook.id, clientSecret: facebook.secret, url: `${issuer}/facebook` },
  };
}
