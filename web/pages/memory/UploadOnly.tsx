import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import type { OpenedShareContext } from "../../data/shared-link.queries.ts";
import { useChosenFiles } from "../../features/guests/chosen-files.ts";
import { type UploadOccasion, uploadOccasionQuery } from "../../features/guests/upload-occasion.queries.ts";
import { HeroWithUrls } from "../../features/memories/MemoryHero.tsx";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { usePageTitle } from "../../lib/browser/page-title.ts";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Sky } from "../../ui/Sky.tsx";

const AddByLink = lazyPart(() => import("../../features/guests/AddByLink.tsx"));
const ReportButton = lazyPart(() => import("../../features/reports/ReportButton.tsx"), "nothing");

const COLUMN = "page-width grid gap-8 [&>*]:max-w-[44rem]";
/** The day of the sky if the memory has no date. */
const UNDATED = "2000-06-15";
const NO_PICTURE = { picture: undefined, placeholder: undefined };

/** The page of an upload-only link: whose day it is, and the form to add. It shows nothing that was added by others. */
export default function UploadOnly({ share }: { share: OpenedShareContext & { memoryId: string } }) {
  const { t } = useTranslation("guests");
  const { client, memoryId } = share;
  const occasion = useQuery(uploadOccasionQuery(client, memoryId));
  const name = occasion.data?.person_name;
  const chosen = useChosenFiles();
  usePageTitle(name ?? t("only.page"));
  return (
    <article className="grid grid-cols-[minmax(0,1fr)] gap-8 pb-16 [--hero:15rem] sm:[--hero:22rem]">
      {occasion.isPending ? (
        <Skeleton className="min-h-(--hero)" />
      ) : occasion.data ? (
        <Occasion occasion={occasion.data} />
      ) : (
        <UnnamedHero />
      )}
      <div className={COLUMN}>
        <Suspense fallback={<Skeleton className="h-64 rounded-3xl" />}>
          <AddByLink share={share} chosen={chosen} title={name && t("add.titleFor", { name })} text={t("only.text")} />
        </Suspense>
        <Suspense>
          <ReportButton client={client} memory={{ id: memoryId }} rights={{ manage: false }} />
        </Suspense>
      </div>
    </article>
  );
}

/** The memory's sky with its name and dates. The cover is not shown, because it is a photo that was added. */
const Occasion = ({ occasion }: { occasion: UploadOccasion }) => (
  <HeroWithUrls memory={{ ...occasion, created_at: UNDATED }} urls={NO_PICTURE} />
);

/** The hero if the name could not be loaded: photos can be added without it. */
function UnnamedHero() {
  const { t } = useTranslation("guests");
  return (
    <header className="relative isolate grid min-h-(--hero) content-end overflow-hidden bg-night py-8 text-white">
      <div className="absolute inset-0 -z-10">
        <Sky className="size-full" />
      </div>
      <div className={COLUMN}>
        <h1 className="rounded-3xl border border-line bg-raised/95 p-5 font-serif text-[1.75rem] leading-tight text-ink sm:text-4xl">
          {t("only.title")}
        </h1>
      </div>
    </header>
  );
}
