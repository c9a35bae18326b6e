import { Check, Copy, MonitorPlay, RefreshCw } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { useCopy } from "../../lib/browser/use-copy.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { useRemakeWall, type Wall } from "./walls.queries.ts";

/** The wall's address, to open it here or to type it at the screen, and a new one. */
export function WallAddress({ client, wall }: { client: SupabaseClient; wall: Wall }) {
  const { t } = useTranslation("wallControl");
  const field = useRef<HTMLInputElement>(null);
  const url = new URL(paths.wall(wall.wall_id), location.origin).href;
  const { result, copy } = useCopy(url, field);
  const remake = useRemakeWall(client, wall);
  return (
    <section className="grid gap-3">
      <label className="grid gap-1">
        <span className="text-sm font-semibold">{t("address.label")}</span>
        <input
          ref={field}
          readOnly
          value={url}
          onFocus={({ target }) => target.select()}
          className="min-h-12 min-w-0 rounded-xl border border-edge bg-sunken px-4 text-ellipsis text-ink"
        />
      </label>
      <div className="flex flex-wrap gap-2">
        <Button asChild>
          <a href={url} target="_blank" rel="noreferrer">
            <MonitorPlay aria-hidden className="size-5 shrink-0" />
            {t("address.open")}
          </a>
        </Button>
        <Button variant="quiet" icon={result === "copied" ? Check : Copy} onClick={() => void copy()}>
          {t(result === "copied" ? "address.copied" : "address.copy")}
        </Button>
        <Button variant="plain" icon={RefreshCw} disabled={remake.isPending} onClick={() => remake.mutate()}>
          {t("address.remake")}
        </Button>
      </div>
      <p className="text-sm text-ink-soft">{t("address.text")}</p>
      {remake.isError && (
        <p role="alert" className="text-danger-text">
          {t("failed")}
        </p>
      )}
    </section>
  );
}
