import { z } from "zod";
import { invalid, optionalText, parse } from "../bodies.ts";

const word = z.string().max(200);
/** Parameters that may be passed to a provider, e.g. the account and the prompt; never the redirect URL. */
const PARAMETERS = {
  access_type: word.optional(),
  display: word.optional(),
  hd: word.optional(),
  login_hint: word.optional(),
  prompt: word.optional(),
  ui_locales: word.optional(),
};

/** Loose, because the request also contains the browser's final redirect. */
export const AuthorizeQuery = z.looseObject({
  ...PARAMETERS,
  provider: z.string().min(1).max(100),
  scopes: z
    .string()
    .max(1000)
    .regex(/^[\x21-\x7e ]*$/)
    .optional(),
  skip_http_redirect: optionalText,
});

export function readAuthorize(query: z.output<typeof AuthorizeQuery>) {
  const { provider, scopes = "", skip_http_redirect } = query;
  return {
    provider,
    wishes: {
      scopes: scopes.split(/[ ,]+/).filter(Boolean),
      parameters: parse(z.object(PARAMETERS), query) as Record<string, string>,
    },
    asJson: skip_http_redirect === "true",
  };
}

const one = z.string().max(8192).optional().catch(undefined);
/** The provider's callback parameters. */
export const CallbackQuery = z.looseObject({ state: one, error: one, error_description: one });

const IdTokenBody = z.object({
  provider: optionalText,
  issuer: optionalText,
  id_token: z.string().max(16_384).nullish(),
  access_token: optionalText,
  nonce: optionalText,
  link_identity: z.boolean().nullish(),
});

export function readIdTokenGrant(body: unknown) {
  const { provider, issuer, id_token, access_token, nonce, link_identity } = parse(IdTokenBody, body);
  if (!id_token) throw invalid("id_token required");
  const from = provider || issuer;
  if (!from) throw invalid("provider or client_id and issuer required");
  return {
    from,
    given: { token: id_token, nonce: nonce || undefined, accessToken: access_token || undefined },
    links: link_identity ?? false,
  };
}
