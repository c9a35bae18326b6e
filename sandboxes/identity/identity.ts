import type { FastifyPluginAsync } from "fastify";
import type { Provider } from "oidc-provider";
import { appleKey, CLIENTS } from "./clients.ts";
import { routes } from "./routes.ts";

/** Stands in for everybody's account at Google, Apple and Facebook. */
export interface Identity {
  /** To be mounted at /sandbox/identity. */
  routes: FastifyPluginAsync;
  issuer: string;
  google: { clientId: string; clientSecret: string };
  apple: { clientId: string; teamId: string; keyId: string; privateKey: string };
  /** `url` represents both of Facebook's hosts. */
  facebook: { clientId: string; clientSecret: string; url: string };
}

/** `issuer` is where its pages will be mounted, `redirectUri` where it may send people back to. */
export function openIdentity({ issuer, redirectUri }: { issuer: string; redirectUri: string }): Identity {
  const key = appleKey(issuer);
  let opened: Promise<Provider> | undefined;
  // When somebody comes: most starts of the server are for something else.
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
