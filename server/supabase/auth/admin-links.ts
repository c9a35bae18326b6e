import { RequestError } from "../../../shared/request-error.ts";
import type { Transaction } from "../../database/database.ts";
import { type Account, findAccount, isConfirmed, lockAccountOf } from "./account.ts";
import { invalid } from "./bodies.ts";
import type { AuthContext } from "./context.ts";
import { linkUrl, type Purpose, sendSignIn, signInToken } from "./deliveries.ts";
import type { Login } from "./logins.ts";
import type { MessageRequest } from "./message-request.ts";
import { insertAccount } from "./new-account.ts";
import { userJson } from "./user-json.ts";

interface LinkWish {
  type: Purpose;
  login: Login;
  password?: string;
  data: Record<string, unknown>;
}

/** Makes a link for the service to send by its own means. */
export async function generateLink(auth: AuthContext, wish: LinkWish, asked: MessageRequest) {
  if (wish.type === "signup" && !wish.password) throw invalid("Signup requires a valid password");
  const passwordHash = wish.password ? await auth.passwords.hash(wish.password) : null;
  return auth.db.transaction(async (tx) => {
    const { account, purpose } = await accountFor(tx, wish, passwordHash);
    const token = await signInToken(auth, tx, account, purpose, { challenge: undefined });
    return {
      ...userJson((await findAccount(tx, account.id)) ?? account),
      action_link: linkUrl(auth, token, purpose, asked.redirectTo),
      email_otp: token.code,
      hashed_token: token.link,
      redirect_to: asked.redirectTo,
      verification_type: purpose,
    };
  });
}

/** Creates an account and emails its person a sign-in link. */
export async function invite(auth: AuthContext, wish: Omit<LinkWish, "type">, asked: MessageRequest) {
  return auth.db.transaction(async (tx) => {
    const { account } = await accountFor(tx, { ...wish, type: "invite" }, null);
    await sendSignIn(auth, tx, account, "invite", asked);
    return userJson((await findAccount(tx, account.id)) ?? account);
  });
}

/** The account that a link is for: a new one for those that make one, one that is there for the others. */
async function accountFor(
  tx: Transaction,
  { type, login, data }: LinkWish,
  passwordHash: string | null,
): Promise<{ account: Account; purpose: Purpose }> {
  const known = await lockAccountOf(tx, login);
  if (type === "recovery" && !known)
    throw new RequestError("user_not_found", { message: "User with this email not found" });
  if (known && (type === "signup" || type === "invite") && isConfirmed(known, login)) {
    throw new RequestError("email_exists");
  }
  const account = known ?? (await insertAccount(tx, { login, passwordHash, data, confirmed: false }));
  if (!account) throw new RequestError("conflict");
  if (type === "invite") await tx.query("update auth.users set invited_at = now() where id = $1", [account.id]);
  return { account, purpose: known || type !== "magiclink" ? type : "signup" };
}
