import { useQuery } from "@tanstack/react-query";
import { ChevronDown, Languages, Menu as MenuIcon } from "lucide-react";
import { Fragment, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { memoryKindQuery } from "../data/memories.queries.ts";
import { useUnsent } from "../data/outbox/use-outbox.ts";
import { ownerOf } from "../data/outbox/waiting-write.ts";
import { useAllowanceLive } from "../data/storage.queries.ts";
import { signOut } from "../features/account/sign-out.ts";
import { StorageLine, StorageRing } from "../features/dashboard/StorageRing.tsx";
import { languages } from "../i18n/languages.ts";
import { lazyPart } from "../lib/browser/lazy-part.ts";
import type { Theme } from "../lib/browser/stored-theme.ts";
import { useTheme } from "../lib/browser/theme.ts";
import { supabase } from "../lib/request/supabase.ts";
import { helpLink, paths, siteLinks } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { Menu, MenuChoice, MenuItem, MenuSeparator } from "../ui/Menu.tsx";
import { HeaderSearch } from "./HeaderSearch.tsx";
import { InstallItem } from "./InstallItem.tsx";
import { memberLinks } from "./nav-links.ts";

const NoticeBell = lazyPart(() => import("../features/notices/NoticeBell.tsx"), "nothing");

const SignOutQuestion = lazyPart(() => import("./SignOutQuestion.tsx"), "over the page");

const CartBadge = lazyPart(() => import("../features/cart/CartBadge.tsx"), "nothing");

/** The place of a button that loads. */
const BUTTON_SPACE = <span className="size-11" />;

// Smaller padding below 1024 px, so that the navigation fits on one line from 768 px.
const ROW = "px-2.5! whitespace-nowrap lg:px-4!";

/** Renders the navigation of a signed-in person. */
export function MemberNav({ userId }: { userId: string }) {
  const { t } = useTranslation("layout");
  const memories = useMemoriesLabel(userId);
  const textOf = ({ text }: (typeof memberLinks)[number]) => t(text === "memories" ? memories : text);
  // Subscribes here, because the navigation is mounted for the whole session.
  useAllowanceLive(supabase, userId);
  // After the navigation's sign-out, the sign-in page opens (Spec §2).
  const [isAsking, setIsAsking] = useState(false);
  const unsent = useUnsent(ownerOf(userId)).length;
  const leave = () => (unsent > 0 ? setIsAsking(true) : void signOut(paths.login()));
  return (
    <>
      <div className="flex items-center gap-1 max-[54rem]:hidden">
        {memberLinks
          .filter(({ menuOnly }) => !menuOnly)
          .map((link) => (
            <Fragment key={link.text}>
              <Button asChild size="small" variant="plain" className={ROW}>
                <Link to={link.to}>{textOf(link)}</Link>
              </Button>
              {link.text === "memories" && <StorageRing userId={userId} />}
            </Fragment>
          ))}
        <Menu
          trigger={
            <Button size="small" variant="plain" className={ROW}>
              {t("more")}
              <ChevronDown aria-hidden className="size-4" />
            </Button>
          }
        >
          <SiteItems />
        </Menu>
        <Button size="small" variant="plain" className={ROW} onClick={leave}>
          {t("signOut")}
        </Button>
        <PreferencesMenu />
      </div>
      <HeaderSearch />
      <Suspense fallback={BUTTON_SPACE}>
        <NoticeBell userId={userId} />
      </Suspense>
      <Suspense fallback={BUTTON_SPACE}>
        <CartBadge userId={userId} />
      </Suspense>
      <div className="min-[54rem]:hidden">
        <Menu
          trigger={
            <IconButton label={t("menu")}>
              <MenuIcon aria-hidden className="size-6" />
            </IconButton>
          }
        >
          {memberLinks.map((link) => (
            <Fragment key={link.text}>
              <MenuItem asChild>
                <Link to={link.to}>{textOf(link)}</Link>
              </MenuItem>
              {link.text === "memories" && (
                <MenuItem asChild>
                  <Link to={paths.dashboard()}>
                    <StorageLine userId={userId} />
                  </Link>
                </MenuItem>
              )}
            </Fragment>
          ))}
          <MenuSeparator />
          <SiteItems />
          <MenuSeparator />
          <MenuPreferences />
          <MenuSeparator />
          <MenuItem onSelect={leave}>{t("signOut")}</MenuItem>
        </Menu>
      </div>
      {isAsking && (
        <Suspense>
          <SignOutQuestion unsent={unsent} onClosed={() => setIsAsking(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Renders the items of the dropdown with Pricing, About and Blog (Spec §2). */
function SiteItems() {
  const { t } = useTranslation("layout");
  return [...siteLinks, helpLink].map(({ text, to }) => (
    <MenuItem key={text} asChild>
      <Link to={to}>{t(text)}</Link>
    </MenuItem>
  ));
}

/** Returns the key of the navigation's label for a person's memories: "Collections" if all are events (Spec §2). */
function useMemoriesLabel(userId: string): "memories" | "collections" {
  return useQuery(memoryKindQuery(supabase, userId)).data === "event" ? "collections" : "memories";
}

function PreferencesMenu() {
  const { t } = useTranslation("layout");
  return (
    <Menu
      trigger={
        <IconButton label={t("preferences")}>
          <Languages aria-hidden className="size-6" />
        </IconButton>
      }
    >
      <MenuPreferences />
    </Menu>
  );
}

/** Renders the menu's choices of language and theme, and the installation. Spec §2 names the languages "en English, it Italiano". */
function MenuPreferences() {
  const { t, i18n } = useTranslation("layout");
  const [theme, choose] = useTheme();
  return (
    <>
      <MenuChoice
        label={t("language")}
        value={i18n.resolvedLanguage ?? "en"}
        onChange={(language) => void i18n.changeLanguage(language)}
        options={languages.map(({ code, name }) => ({
          value: code,
          lang: code,
          label: (
            <>
              <span className="text-ink-soft">{code}</span> {name}
            </>
          ),
        }))}
      />
      <MenuSeparator />
      <MenuChoice
        label={t("theme.label")}
        value={theme}
        onChange={(chosen) => choose(chosen as Theme)}
        options={(["system", "light", "dark"] as const).map((value) => ({ value, label: t(`theme.${value}`) }))}
      />
      <InstallItem />
    </>
  );
}
