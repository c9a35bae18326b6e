import { createHash } from "node:crypto";

/** Somebody with an account at the sandbox. */
export interface SandboxAccount {
  /** What is typed or chosen to sign in. */
  login: string;
  name?: string;
  /** Absent where the provider tells no address. */
  email?: string;
  emailVerified: boolean;
  /** What the page says about it. */
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

/** Everybody has an account: who is not agreed upon has a verified address, or an unverified one behind `unverified+`. */
export function accountOf(login: string): SandboxAccount {
  const agreed = AGREED.find((account) => account.login === login);
  if (agreed) return agreed;
  const [name = ""] = login.split("@");
  return { login, name, email: login.replace(/^unverified\+/, ""), emailVerified: !login.startsWith("unverified+") };
}

/** The account's name for good, as providers give one: it says nothing. */
export const subjectOf = (login: string): string =>
  BigInt(`0x${createHash("sha256").update(login).digest("hex").slice(0, 16)}`)
    .toString()
    .padStart(21, "1");
