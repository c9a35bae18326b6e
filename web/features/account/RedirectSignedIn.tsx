import { type ReactNode, useState } from "react";
import { Navigate } from "react-router";
import { takeRedirect } from "../../lib/session/redirect-url.ts";
import { useSession } from "../../lib/session/session.ts";
import { paths } from "../../paths.ts";
import { Loading } from "../../ui/Loading.tsx";
import { SecondFactor } from "./SecondFactor.tsx";

interface RedirectSignedInProps {
  /** The redirect target; by default the page that was requested before signing in. */
  to?: string;
  /** The sign-in form. */
  children: ReactNode;
}

/** Redirects signed-in people, and asks for a pending second factor. */
export function RedirectSignedIn({ to, children }: RedirectSignedInProps) {
  const session = useSession();
  if (session.state === "loading") return <Loading full />;
  if (session.state === "signed in")
    return to === undefined ? <RedirectToRequestedPage /> : <Navigate to={to} replace />;
  return session.halfway ? <SecondFactor /> : children;
}

function RedirectToRequestedPage() {
  // Kept in state, because `takeRedirect` removes the stored path, and React may render a component twice.
  const [path] = useState(() => takeRedirect() ?? paths.start());
  return <Navigate to={path} replace />;
}
