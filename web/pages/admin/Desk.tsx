import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, useLocation } from "react-router";
import { DeskNav } from "../../features/admin/DeskNav.tsx";
import { Shortcuts } from "../../features/admin/Shortcuts.tsx";
import { sectionsFor } from "../../features/admin/sections.ts";
import { NotFound } from "../../layout/NotFound.tsx";
import { usePageTitle } from "../../lib/browser/page-title.ts";
import { useSession } from "../../lib/session/session.ts";
import { paths } from "../../paths.ts";
import { Loading } from "../../ui/Loading.tsx";

interface DeskProps {
  title: string;
  /** Content beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** Renders the frame of every staff page, or the not-found page without a staff role and a second factor. */
export function Desk(props: DeskProps) {
  const { pathname } = useLocation();
  const session = useSession();
  if (session.state === "loading") return <Loading full />;
  const sections = sectionsFor(session.state === "signed in" ? session.user.role : undefined);
  const [first] = sections;
  if (sections.some(({ to }) => pathname === to || (to !== paths.admin() && pathname.startsWith(`${to}/`))))
    return <DeskFrame {...props} sections={sections} />;
  return first && pathname === paths.admin() ? <Navigate replace to={first.to} /> : <NotFound />;
}

function DeskFrame({ title, actions, children, sections }: DeskProps & { sections: ReturnType<typeof sectionsFor> }) {
  const { t } = useTranslation("admin");
  usePageTitle(`${title} · ${t("title")}`);
  return (
    <div className="page-width grid content-start gap-6 py-6 lg:grid-cols-[12rem_minmax(0,1fr)] lg:gap-10 lg:py-10">
      <DeskNav sections={sections} />
      <div className="grid min-w-0 content-start gap-6">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h1 className="font-serif text-3xl leading-tight sm:text-4xl">{title}</h1>
          {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
        </div>
        {children}
      </div>
      <Shortcuts />
    </div>
  );
}
