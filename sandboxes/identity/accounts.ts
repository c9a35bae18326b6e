import { createHash } from "node:crypto";

/** An account at the sandbox. */
export interface SandboxAccount {
  /** The name that is typed or chosen to sign in. */
  login: string;
  name?: string;
  /** Absent if the provider sends no address. */
  email?: string;
  emailVerified: boolean;
  /** A remark on the sign-in page. */
  note?: string;
}

const AGREED: SandboxAccount[] = [
  { login: "ada@sandbox.example", name: "Ada Sandbox", email: "ada@sandbox.example", emailVerified: true },
  { login: "bruno@sandbox.example", name: "Bruno Sandbox", email: "bruno@sandbox.example", emailVerified: true },
  {
    login: "unverified@sandbox.example",
    name: "Una Verified",
    email: "unverified@sandbox.example",
    emailVerified: false,
    note: "address not verified",
  },
  { login: "no-email@sandbox.example", name: "Noe Mail", emailVerified: false, note: "tells no address" },
  { login: "nameless@sandbox.example", email: "nameless@sandbox.example", emailVerified: true, note: "tells no name" },
  {
    login: "refused@sandbox.example",
    name: "Ray Fused",
    email: "refused@sandbox.example",
    emailVerified: true,
    note: "the code is refused when it is exchanged",
  },
];

export const agreedAccounts = (): readonly SandboxAccount[] => AGREED;

/**
 * Returns the account of any login. A login that is not listed has a verified address, or with `unverified+` an
 * unverified one.
 */
export function accountOf(login: string): SandboxAccount {
  const agreed = AGREED.find((account) => account.login === login);
  if (agreed) return agreed;
  const [name = ""] = login.split("@");
  return { login, name, email: login.replace(/^unverified\+/, ""), emailVerified: !login.startsWith("unverified+") };
}

/** The permanent, opaque subject id of an account, as providers issue one. */
export const subjectOf = (login: string): string =>
  BigInt(`0x${createHash("sha256").update(login).digest("hex").slice(0, 16)}`)
    .toString()
    .padStart(21, "1");
