import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { paths } from "../../paths.ts";
import { classNames } from "../../ui/class-names.ts";
import { Ring } from "../../ui/Ring.tsx";
import { Tooltip } from "../../ui/Tooltip.tsx";
import { type StorageRingState, toneOf, useStorageRing } from "./use-storage-ring.ts";

/** The storage ring in the navigation (Spec §2), a link to the dashboard. */
export function StorageRing({ userId }: { userId: string }) {
  const ring = useStorageRing(userId);
  return (
    <Tooltip text={ring.label}>
      <Link
        to={paths.dashboard()}
        aria-label={ring.label}
        className="inline-grid size-11 shrink-0 place-content-center rounded-full transition-colors duration-200 ease-out hover:bg-wash"
      >
        <SmallRing ring={ring} />
      </Link>
    </Tooltip>
  );
}

/** The storage ring with a text, for a menu. */
export function StorageLine({ userId }: { userId: string }) {
  const { t } = useTranslation("plans");
  const ring = useStorageRing(userId);
  return (
    <>
      <SmallRing ring={ring} />
      <span className="grid leading-snug">
        {t("storage.label")}
        {ring.state !== "waiting" && (
          <span className="text-sm text-ink-soft">{ring.state === "known" ? ring.short : ring.label}</span>
        )}
      </span>
    </>
  );
}

const SIGN = "M12 7v5.5M12 16.4v.1";

function SmallRing({ ring }: { ring: StorageRingState }) {
  const size = "size-7";
  if (ring.state === "waiting") {
    return <Ring value={0} tone="blue" thickness={0.15} className={classNames(size, "motion-safe:animate-breathe")} />;
  }
  if (ring.state === "failed") return <Ring value={undefined} tone="blue" thickness={0.15} className={size} />;
  return (
    <Ring value={ring.share} tone={toneOf[ring.level]} thickness={0.15} className={size}>
      {/* An icon repeats the colour's meaning; above 90% it is on a filled disc. */}
      {ring.level !== "calm" && (
        <svg aria-hidden="true" viewBox="0 0 24 24" className="size-full">
          {ring.level === "full" && <circle cx="12" cy="12" r="7" className="fill-current" />}
          <path
            d={SIGN}
            strokeWidth="2.2"
            strokeLinecap="round"
            className={ring.level === "full" ? "stroke-paper" : "stroke-current"}
          />
        </svg>
      )}
    </Ring>
  );
}
