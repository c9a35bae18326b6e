import { type ReactNode, useState } from "react";
import { Link, Navigate } from "react-router";
import { usePageTitle } from "../../lib/page-title.ts";
import { takeRedirect } from "../../lib/redirect-url.ts";
import { useSession } from "../../lib/session.ts";
import { paths } from "../../paths.ts";
import { Sky } from "../../ui/Sky.tsx";
import { Wordmark } from "../../ui/Wordmark.tsx";

interface AccountShellProps {
  title: string;
  text: string;
  children: ReactNode;
  /** The way to the other of the two screens. */
  other: ReactNode;
}

/** Where people come in: a form beside the sky of the hour. Whoever is signed in already goes on to where they meant to go. */
export function AccountShell({ title, text, children, other }: AccountShellProps) {
  const session = useSession();
  const [now] = useState(() => new Date());
  usePageTitle(title);
  if (session.state === "signed in") return <GoOn />;
  return (
    <div className="grid min-h-dvh lg:grid-cols-[1fr_minmax(32rem,42rem)]">
      <div className="relative h-36 overflow-hidden sm:h-48 lg:h-auto">
        <Sky moment={now} className="absolute inset-0" />
      </div>
      <div className="mx-auto grid w-full max-w-lg content-start gap-8 px-5 py-8 sm:px-8 lg:content-center lg:py-16">
        <Link to={paths.start()} className="-my-2 inline-flex min-h-11 items-center justify-self-start no-underline">
          <Wordmark />
        </Link>
        <div className="grid gap-2">
          <h1 className="font-serif text-3xl leading-tight sm:text-4xl">{title}</h1>
          <p className="text-ink-soft">{text}</p>
        </div>
        {children}
        <p className="text-ink-soft">{other}</p>
      </div>
    </div>
  );
}

function GoOn() {
  // Taking the stored path removes it, and a component may render twice.
  const [path] = useState(() => takeRedirect() ?? paths.start());
  return <Navigate to={path} replace />;
}
