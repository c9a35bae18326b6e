import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { sizeText } from "../../../shared/storage.ts";
import type { MemoryUse } from "../../data/storage.queries.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { LoadMore } from "../../ui/LoadMore.tsx";
import { Panel } from "../../ui/Panel.tsx";
import { MoreButton, useFirst } from "./MoreButton.tsx";
import type { Dashboard } from "./use-dashboard.ts";

const AT_FIRST = 5;

const NONE: readonly MemoryUse[] = [];

interface MemoryUsesProps extends Pick<Dashboard, "uses"> {
  /** The number of all memories, including those that are not loaded. */
  count: number | undefined;
  /** The plan's storage in bytes; undefined if unknown. */
  limit: number | undefined;
}

/** The storage of each memory as a share of the plan's, largest first. */
export function MemoryUses({ uses: pages, count, limit }: MemoryUsesProps) {
  const { t, i18n } = useTranslation("dashboard");
  const uses = useFirst(pages.data ?? NONE, AT_FIRST);
  const whole = limit && uses.all.length > 0 ? sizeText(limit, localeOf(i18n.language)) : undefined;
  return (
    <Panel title={t("byMemory.title")} text={whole && t("byMemory.text", { whole })}>
      {uses.all.length === 0 && (
        <>
          <p className="max-w-prose text-ink-soft">{t("byMemory.empty")}</p>
          <Button asChild variant="quiet" className="justify-self-start">
            <Link to={paths.newMemory()}>{t("byMemory.create")}</Link>
          </Button>
        </>
      )}
      {uses.visibleItems.length > 0 && (
        <ul className="m-0 grid list-none grid-cols-[minmax(0,1fr)] gap-4 p-0">
          {uses.visibleItems.map((use) => (
            <MemoryBar key={use.memory_id} use={use} share={limit && use.bytes / limit} />
          ))}
        </ul>
      )}
      {uses.open && <LoadMore pages={pages} />}
      <MoreButton list={uses} more={t("more", { count: count ?? uses.all.length })} fewer={t("fewer")} />
    </Panel>
  );
}

/** A memory's storage as a bar. `share` is a fraction of the plan's storage; it can exceed 1 after a plan has ended. */
function MemoryBar({ use, share }: { use: MemoryUse; share: number | undefined }) {
  const { t, i18n } = useTranslation("dashboard");
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <Link
          dir="auto"
          to={paths.memory(use.memory_id)}
          className="inline-flex min-h-11 min-w-0 items-center font-semibold wrap-anywhere text-ink decoration-edge underline-offset-4 hover:text-deep hover:decoration-deep"
        >
          {use.name || t("byMemory.unnamed")}
        </Link>
        <span className="text-sm text-ink-soft">
          {use.items === 0
            ? t("byMemory.nothing")
            : `${sizeText(use.bytes, localeOf(i18n.language))} · ${t("byMemory.items", { count: use.items })}`}
        </span>
      </div>
      {share !== undefined && use.bytes > 0 && (
        <div aria-hidden className="h-2.5 overflow-hidden rounded-full bg-line">
          {/* Even a tiny share is visible. */}
          <div className="h-full min-w-2.5 rounded-full bg-blue" style={{ width: `${Math.min(1, share) * 100}%` }} />
        </div>
      )}
    </li>
  );
}
