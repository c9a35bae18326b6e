import { z } from "zod";
import { invalid, optionalText, parse } from "./bodies.ts";
import { checkLogin, type Login, readLogin } from "./logins.ts";
import type { TokenType } from "./one-time-tokens.ts";
import { BY_MAIL, BY_SMS } from "./verify.ts";

const VerifyBody = z.object({
  type: optionalText,
  token: optionalText,
  token_hash: optionalText,
  email: optionalText,
  phone: optionalText,
});

/** A link that somebody follows, or a code that they type with the address it was sent to. */
type Presented = { type: string; types: readonly TokenType[] } & ({ link: string } | { code: string; login: Login });

/** What a client hands in: a link's token by itself, or a code with its address. */
export function readVerification(body: unknown): Presented {
  const { type, token, token_hash, email, phone } = parse(VerifyBody, body);
  if (!type) throw invalid("Verify requires a verification type");
  if (!token && !token_hash) throw invalid("Verify requires a token or a token hash");
  if (token_hash) {
    if (token || email || phone) throw invalid("Only the token_hash and type should be provided");
    return { type, types: typesOf(BY_MAIL, type), link: token_hash };
  }
  const login = checkLogin(
    readLogin({ email, phone }, "Only an email address or phone number should be provided on verify"),
  );
  const types = login.email === undefined ? typesOf(BY_SMS, type) : typesOf(BY_MAIL, type);
  return { type, types, login, code: token ?? "" };
}

/** What a followed link carries. */
export function readLink(query: unknown) {
  const { type, token, token_hash } = parse(VerifyBody, query);
  const link = token || token_hash;
  if (!link) throw invalid("Verify requires a token or a token hash");
  if (!type) throw invalid("Verify requires a verification type");
  return { type, types: typesOf(BY_MAIL, type), link };
}

function typesOf(known: Record<string, readonly TokenType[]>, type: string): readonly TokenType[] {
  const types = Object.hasOwn(known, type) ? known[type] : undefined;
  if (!types) throw invalid("Invalid verification type");
  return types;
}
