import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { albumQuery } from "./albums.queries.ts";

interface BackToAlbumProps {
  shareId: string;
  client: SupabaseClient;
  albumId: string;
}

/** A link from a memory to the shared album from which it was opened. */
export function BackToAlbum({ shareId, client, albumId }: BackToAlbumProps) {
  const { t } = useTranslation("albums");
  const { data } = useQuery(albumQuery(client, albumId));
  return (
    <nav className="border-b border-line px-3 sm:px-6">
      <Link
        to={paths.shared(shareId)}
        className="inline-flex min-h-12 max-w-full items-center gap-2 px-2 font-semibold"
      >
        <ArrowLeft aria-hidden className="size-5 shrink-0" />
        <span dir="auto" className="truncate">
          {data?.name ?? t("shared.back")}
        </span>
      </Link>
    </nav>
  );
}

/** Shown for a memory that was removed from the album. */
export function GoneFromAlbum({ shareId }: { shareId: string }) {
  const { t } = useTranslation("albums");
  return (
    <Empty picture="signpost" page title={t("shared.goneTitle")} text={t("shared.goneText")}>
      <Button asChild>
        <Link to={paths.shared(shareId)}>{t("shared.back")}</Link>
      </Button>
    </Empty>
  );
}
