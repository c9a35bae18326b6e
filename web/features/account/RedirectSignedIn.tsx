import { type ReactNode, useState } from "react";
import { Navigate } from "react-router";
import { takeRedirect } from "../../lib/session/redirect-url.ts";
import { useSession } from "../../lib/session/session.ts";
import { paths } from "../../paths.ts";
import { Loading } from "../../ui/Loading.tsx";
import { SecondFactor } from "./SecondFactor.tsx";

interface RedirectSignedInProps {
  /** Where people go on to; unless said, to where they had meant to go. */
  to?: string;
  /** The ways to sign in, for anyone who is not signed in. */
  children: ReactNode;
}

/** Lets people through who are signed in, and asks those who are half way for their second factor. */
export function RedirectSignedIn({ to, children }: RedirectSignedInProps) {
  const session = useSession();
  if (session.state === "loading") return <Loading full />;
  if (session.state === "signed in") return to === undefined ? <GoOn /> : <Navigate to={to} replace />;
  return session.halfway ? <SecondFactor /> : children;
}

function GoOn() {
  // Taking the stored path removes it, and a component may render twice.
  const [path] = useState(() => takeRedirect() ?? paths.start());
  return <Navigate to={path} replace />;
}
