import "../../i18n/namespaces/downloads.ts";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { Archive, Images } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../ui/Dialog.tsx";
import { type DownloadRequest, wantDownload } from "./download-store.ts";
import { PreparedDownload } from "./PreparedDownload.tsx";

/** Asks how a memory or an album is wanted, and says its size and number before the browser fetches it. */
export default function DownloadWindow({ request }: { request: DownloadRequest }) {
  const { t } = useTranslation("downloads");
  const [archive, setArchive] = useState(false);
  const [queries] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: false } } }));
  const selected = "mediaIds" in request.what ? request.what.mediaIds.length : undefined;
  return (
    <Dialog
      title={selected === undefined ? t("title", { name: request.name }) : t("selected", { count: selected })}
      description={t("text")}
      open
      onOpenChange={(open) => !open && wantDownload(undefined)}
    >
      <div className="grid gap-6">
        {selected === undefined && (
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
