import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link2, MailPlus, Plus, Printer, Share2 } from "lucide-react";
import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { requestAsUser, supabase } from "../../lib/request/supabase.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { LoadMore } from "../../ui/LoadMore.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { LinkDetails } from "./links/LinkDetails.tsx";
import { LinkRow } from "./links/LinkRow.tsx";
import { Setting } from "./links/LinkSettings.tsx";
import {
  cardLinkCountQuery,
  linksQuery,
  type Shareable,
  type ShareLink,
  useCreateLink,
  useLinksLive,
} from "./links/links.queries.ts";
import { randomPin } from "./links/pin-choice.ts";
import { useLinkLabels } from "./links/use-link-labels.ts";

const RevealSetting = lazyPart(() => import("./RevealSetting.tsx"), "nothing");

interface ShareWindowProps {
  of: Shareable;
  /** The form that invites people by email, for a memory. */
  invite?: ReactNode;
}

/** Renders the share button with its dialog. */
export function ShareWindow({ of, invite }: ShareWindowProps) {
  const { t } = useTranslation("sharing");
  const [open, setOpen] = useState(false);
  const album = of.kind === "album";
  return (
    <>
      <Button icon={Share2} onClick={() => setOpen(true)} className="bg-teal! text-night! hover:bg-white!">
        {t("share")}
      </Button>
      <Dialog
        title={album ? t("albumTitle") : t("title")}
        description={album ? t("albumText") : t("text")}
        open={open}
        onOpenChange={setOpen}
      >
        <SharePanel of={of} invite={invite} />
      </Dialog>
    </>
  );
}

/** Renders the links of a memory or an album: the first link, and the others under "More options". */
function SharePanel({ of, invite }: ShareWindowProps) {
  const { t } = useTranslation("sharing");
  const labels = useLinkLabels();
  const links = useInfiniteQuery(linksQuery(supabase, of));
  const cardCount = useQuery(cardLinkCountQuery(supabase, of)).data ?? 0;
  const cards = useInfiniteQuery({ ...linksQuery(supabase, of, true), enabled: cardCount > 0 });
  const [open, setOpen] = useState<string | null>(null);
  const create = useCreateLink(supabase, of, requestAsUser);
  useLinksLive(supabase, of, [...(links.data ?? []), ...(cards.data ?? [])]);

  const [seen, setSeen] = useState(false);
  const [inviting, setInviting] = useState(false);

  if (links.isPending) return <Skeleton className="h-96" />;
  if (!links.data) return <Problem error={new Error(t("failed"))} retry={links.refetch} />;
  const [main, ...others] = links.data;
  if (!main) return <FirstLink create={create} isAutomatic={!seen} />;
  if (!seen) setSeen(true);

  const row = (link: ShareLink) => (
    <LinkRow
      key={link.id}
      link={link}
      of={of}
      open={link.id === open}
      onToggle={() => setOpen(link.id === open ? null : link.id)}
    />
  );
  const first = of.kind === "memory";
  return (
    <section className="grid gap-4">
      <div>
        <h3 dir="auto" className="font-serif text-lg leading-snug wrap-anywhere">
          {labels.name(main, first)}
        </h3>
        <p className="text-sm text-ink-soft">
          {/* What people can do is the first setting below. */}
          {labels.summary(main, false)}
          {main.shared_at !== null && ` · ${labels.opened(main)}`}
        </p>
      </div>
      <LinkDetails key={main.id} link={main} of={of} first={first} cards={cardCount > 0}>
        <div className="grid gap-3 border-t border-line pt-4">
          {others.length > 0 && <ul className="grid gap-3">{others.map(row)}</ul>}
          <LoadMore pages={links} />
          {/* A memory may have a hundred cards with one link each, so their links are a separate list. */}
          {cardCount > 0 && (
            <details className="grid gap-3">
              <summary className="flex min-h-11 cursor-pointer items-center font-semibold">
                {t("list.cards", { count: cardCount })}
              </summary>
              <ul className="grid gap-3 pt-2">{cards.data?.map(row)}</ul>
              <LoadMore pages={cards} />
            </details>
          )}
          {create.isError && (
            <p role="alert" className="text-danger-text">
              {t("first.failed")}
            </p>
          )}
          <Button
            icon={Plus}
            variant="quiet"
            className="justify-self-start"
            aria-busy={create.isPending}
            onClick={() => !create.isPending && create.mutate(undefined, { onSuccess: setOpen })}
          >
            {t("list.add")}
          </Button>
          <p className="text-sm text-ink-soft">{t("list.addText")}</p>
        </div>
      </LinkDetails>
      {first && (
        <div className="grid justify-items-start gap-2">
          <Button asChild variant="quiet">
            <Link to={paths.printing(of.id)}>
              <Printer aria-hidden className="size-5 shrink-0" />
              {t("printing.open")}
            </Link>
          </Button>
          <p className="text-sm text-ink-soft">{t("printing.text")}</p>
        </div>
      )}
      {first && (
        <Suspense>
          <RevealSetting memoryId={of.id} />
        </Suspense>
      )}
      {invite && (
        <Setting
          icon={MailPlus}
          title={t("invite.title")}
          state={t("invite.text")}
          open={inviting}
          onToggle={() => setInviting(!inviting)}
        >
          {invite}
        </Setting>
      )}
    </section>
  );
}

/**
 * Creates an album's first link: automatically if the window opens without links, but only by a button if the last link
 * was deleted in the window.
 */
function FirstLink({ create, isAutomatic }: { create: ReturnType<typeof useCreateLink>; isAutomatic: boolean }) {
  const { t } = useTranslation("sharing");
  const { mutate, isPending, isError } = create;
  const begun = useRef(false);
  useEffect(() => {
    if (!isAutomatic || begun.current) return;
    begun.current = true;
    mutate(randomPin());
  }, [isAutomatic, mutate]);
  if (isPending || (isAutomatic && !isError)) return <Skeleton className="h-96" />;
  return (
    <div className="grid justify-items-start gap-4">
      <p role={isError ? "alert" : undefined}>{t(isError ? "first.failed" : "first.text")}</p>
      <Button icon={Link2} onClick={() => mutate(randomPin())}>
        {t("first.create")}
      </Button>
    </div>
  );
}
