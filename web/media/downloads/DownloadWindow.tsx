import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { Archive, Download, Images } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DownloadAnswer } from "../../../shared/download.ts";
import { sizeText } from "../../../shared/storage.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Progress } from "../../ui/Progress.tsx";
import { toast } from "../../ui/toasts.tsx";
import { type DownloadRequest, wantDownload } from "./download-store.ts";
import { DownloadRefused, preparedDownloadQuery } from "./downloads.queries.ts";

/** Asks for the format of a download, and shows its size and number of files before it starts. */
export default function DownloadWindow({ request }: { request: DownloadRequest }) {
  const { t } = useTranslation("downloads");
  const [archive, setArchive] = useState(false);
  const [queries] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: false } } }));
  const selected = "mediaIds" in request.what ? request.what.mediaIds.length : undefined;
  const isAccount = "account" in request.what;
  return (
    <Dialog
      title={
        isAccount
          ? t("account")
          : selected === undefined
            ? t("title", { name: request.name })
            : t("selected", { count: selected })
      }
      description={t(isAccount ? "accountText" : "text")}
      open
      onOpenChange={(open) => !open && wantDownload(undefined)}
    >
      <div className="grid gap-6">
        {selected === undefined && !isAccount && (
          <fieldset className="m-0 grid gap-3 border-0 p-0">
            <legend className="sr-only">{t("how")}</legend>
            <Way chosen={!archive} onChoose={() => setArchive(false)} icon={<Images aria-hidden className="size-6" />}>
              {{ name: t("files"), text: t("filesText") }}
            </Way>
            <Way chosen={archive} onChoose={() => setArchive(true)} icon={<Archive aria-hidden className="size-6" />}>
              {{ name: t("archive"), text: t("archiveText") }}
            </Way>
          </fieldset>
        )}
        <QueryClientProvider client={queries}>
          <PreparedDownload key={String(archive)} request={request} archive={archive} />
        </QueryClientProvider>
      </div>
    </Dialog>
  );
}

interface WayProps {
  chosen: boolean;
  onChoose: () => void;
  icon: ReactNode;
  children: { name: string; text: string };
}

function Way({ chosen, onChoose, icon, children: { name, text } }: WayProps) {
  const id = useId();
  return (
    <label className="relative flex cursor-pointer items-start gap-4 rounded-2xl border border-edge p-4 transition-colors duration-200 ease-out hover:border-deep has-checked:border-deep has-checked:bg-wash has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-deep">
      <input
        type="radio"
        name="download-way"
        checked={chosen}
        onChange={onChoose}
        aria-labelledby={`${id}-name`}
        aria-describedby={`${id}-text`}
        className="absolute inset-0 cursor-pointer opacity-0"
      />
      <span className="mt-0.5 text-deep">{icon}</span>
      <span className="grid">
        <span id={`${id}-name`} className="font-semibold">
          {name}
        </span>
        <span id={`${id}-text`} className="text-sm text-ink-soft">
          {text}
        </span>
      </span>
    </label>
  );
}

/** Prepares a download, shows the progress, and links to the finished file. */
function PreparedDownload({ request, archive }: { request: DownloadRequest; archive: boolean }) {
  const { t, i18n } = useTranslation("downloads");
  const language = i18n.resolvedLanguage === "it" ? "it" : "en";
  const { data, error, refetch, isFetching } = useQuery(
    preparedDownloadQuery(request.client, { ...request.what, archive, language }),
  );
  const begun = () => {
    wantDownload(undefined);
    toast({ title: t("begun"), description: t("begunText"), tone: "success" });
  };

  if (error && !isFetching) {
    const reason = error instanceof DownloadRefused ? error.reason : "failed";
    return (
      <div className="grid justify-items-start gap-4">
        <p role="alert" className="text-danger-text">
          {t(`problem.${reason}`)}
        </p>
        {reason === "failed" && (
          <Button variant="quiet" onClick={() => void refetch()}>
            {t("retry")}
          </Button>
        )}
      </div>
    );
  }
  const ready = data?.state === "ready" ? data : undefined;
  return (
    // Reserves the final height, so that the dialog does not jump.
    <div className="grid min-h-40 content-between gap-4">
      <div role="status" className="grid gap-1">
        {ready ? (
          <>
            <p className="font-serif text-2xl">
              {sizeText(ready.size, localeOf(i18n.language))}
              <span className="ms-3 font-sans text-base text-ink-soft">{t("items", { count: ready.files })}</span>
            </p>
            {ready.leftOut > 0 && <p className="text-sm text-ink-soft">{t("leftOut", { count: ready.leftOut })}</p>}
          </>
        ) : (
          <Preparing answer={data} />
        )}
      </div>
      <div className="grid gap-3">
        {ready ? (
          <Button asChild size="large">
            <a href={ready.url} download={ready.name} onClick={begun}>
              <Download aria-hidden className="size-5" />
              {t("download")}
            </a>
          </Button>
        ) : (
          <Button icon={Download} size="large" disabled>
            {t("download")}
          </Button>
        )}
        <p className="text-center text-sm text-ink-soft">{t("resumes")}</p>
      </div>
    </div>
  );
}

function Preparing({ answer }: { answer: DownloadAnswer | undefined }) {
  const { t } = useTranslation("downloads");
  if (answer?.state !== "preparing")
    return <p className="text-ink-soft motion-safe:animate-breathe">{t("preparing")}</p>;
  const { ready, files } = answer;
  return (
    <>
      <p className="text-ink-soft">{t("copies", { ready, files })}</p>
      <Progress value={ready / files} label={t("preparing")} />
    </>
  );
}
